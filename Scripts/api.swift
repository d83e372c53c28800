// Prints the public interface that symbol graphs tell, one declaration a line, below the type that has it. For Scripts/api.
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { let identifier: String }
    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }
    struct Extension: Decodable { let constraints: [Constraint]? }
    struct Availability: Decodable {
      let isUnconditionallyUnavailable: Bool?
      let isUnconditionallyDeprecated: Bool?
    }

    /// What an extension demands of the type's own parameters.
    struct Constraint: Decodable {
      let kind: String
      let lhs: String
      let rhs: String

      var text: String { "\(lhs) \(kind == "sameType" ? "==" : ":") \(rhs)" }
    }

    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let accessLevel: String
    let declarationFragments: [Fragment]?
    let swiftExtension: Extension?
    let availability: [Availability]?
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
let typeKinds: Set<String> = ["swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias"]

/// The graphs of a module: its own, and those of what it adds to others.
func graphs(of module: String) throws -> [SymbolGraph] {
  try files.filter { $0.lastPathComponent.prefix { $0 != "." && $0 != "@" } == module }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
    .map { try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)) }
}

for module in CommandLine.arguments.dropFirst(2) {
  let graphs = try graphs(of: module)
  let symbols = graphs.flatMap(\.symbols)
  let names = Dictionary(symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }) { first, _ in first }
  var conformances: [String: Set<String>] = [:]
  for relationship in graphs.flatMap(\.relationships) where relationship.kind == "conformsTo" || relationship.kind == "inheritsFrom" {
    let name = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
    conformances[relationship.source, default: []].insert(name.split(separator: ".").last.map(String.init) ?? name)
  }
  let types = symbols.filter { typeKinds.contains($0.kind.identifier) && $0.pathComponents.count == 1 }
  print("\(module): \(types.count) types\n")
  let lines = symbols.map { symbol -> (path: [String], line: String) in
    let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let availability = symbol.availability ?? []
    let marks =
      (availability.contains { $0.isUnconditionallyUnavailable == true } ? "@unavailable " : "")
      + (availability.contains { $0.isUnconditionallyDeprecated == true } ? "@deprecated " : "")
      + (symbol.accessLevel == "open" ? "open " : "")
    let demands = (symbol.swiftExtension?.constraints ?? []).map(\.text).sorted().joined(separator: ", ")
    let kept = (conformances[symbol.identifier.precise] ?? []).subtracting(["Copyable", "Escapable", "SendableMetatype"]).sorted()
    let list = kept.isEmpty || declaration.contains(" : ") ? "" : " : " + kept.joined(separator: ", ")
    return (symbol.pathComponents, marks + declaration + list + (demands.isEmpty ? "" : " [extension where \(demands)]"))
  }
  let own = Set(types.map { $0.pathComponents[0] })
  var extended = ""
  for (path, line) in lines.sorted(by: { ($0.path.joined(separator: "."), $0.line) < ($1.path.joined(separator: "."), $1.line) }) {
    if path.count > 1, !own.contains(path[0]), path[0] != extended { print("extension \(path[0])") }
    extended = path[0]
    print(String(repeating: "  ", count: path.count - 1) + line)
  }
  print("")
}
