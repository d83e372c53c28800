import CFuzzer
import Foundation

@testable import DAOImport
@testable import DAOKit

/// Feeds the readers of records with what libFuzzer makes up: the first byte says which form the others are.
@main
struct FuzzFeed {
  static func main() {
    var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
    exit(LLVMFuzzerRunDriver(&count, &arguments) { start, count in test(start, count) })
  }

  /// Whether to crash on purpose, of something that the corpus does not have, to show that a crash is found.
  static let isCrashPlanted = ProcessInfo.processInfo.environment["PLANTED_CRASH"] != nil

  static let node: EntityDescription = EntityDescription(
    "node", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("text", .text, optional: true, mapping: ["text", "t.x", "t.0"]),
      Attribute("real", .real, optional: true), Attribute("date", .date(.unixMilliseconds), optional: true),
      Attribute("number", .decimal(.text), optional: true), Attribute("data", .data, optional: true),
      Attribute("json", .json, optional: true), Attribute("any", .any, optional: true), Attribute("parent", .integer, optional: true),
    ],
    relationships: [
      .toOne("parent", node, by: "parent"), .toMany("children", node, by: "parent", mapping: RelationshipMapping(many: .replace)),
      .toMany("leaves", leaf, by: "node", mapping: RelationshipMapping(many: .replaceDeletingOrphans)),
      .manyToMany("others", node, through: pair, by: "one", to: "other"),
    ])

  static let leaf = EntityDescription(
    "leaf", key: .generated("id"),
    attributes: [Attribute("id", .integer, mapping: .excluded), Attribute("node", .integer), Attribute("text", .text)])

  static let pair = EntityDescription(
    "pair", key: .assigned(["one", "other"]), attributes: [Attribute("one", .integer), Attribute("other", .integer)])

  /// A store of SQLite and one without.
  static let factories: [DAOFactory] = {
    do {
      return [
        try DAOFactory(store: .inMemory(), describedBy: [node, leaf, pair]), DAOFactory(over: try EvaluatorStore([node, leaf, pair])),
      ]
    } catch { fatalError("no store: \(error)") }
  }()

  /// The rows after an import, which are then deleted.
  static func rows(of source: ImportSource, in factory: DAOFactory) throws -> [String] {
    defer {
      for entity in [pair, leaf, node] { _ = try? factory.runtimeDAO(entity).delete(.all, allowUnfiltered: true) }
    }
    do {
      try factory.runtimeDAO(node).import(source, options: ImportOptions(batch: 3, failures: .skip(upTo: .max)))
    } catch is ImportFailure {}
    return try [node, leaf, pair].flatMap { entity -> [String] in
      // Generated keys go on where rows were before.
      let rows = try factory.runtimeDAO(entity).findAll()
      return rows.map { "\(entity.name) \(entity == leaf ? Array($0.values.dropFirst()) : $0.values)" }
    }.sorted()
  }
}

/// What holds of every feed: its records become the same rows in both stores, or are refused. The name is the one that libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let form = bytes.first else { return 0 }
  let data = Data(bytes.dropFirst())
  let source: ImportSource =
    switch form {
    case UInt8(ascii: "l"): .jsonLines(data)
    case UInt8(ascii: "c"): .csv(data)
    case UInt8(ascii: ";"): .csv(data, delimiter: ";")
    case UInt8(ascii: "a"): .json(data, at: "a.b")
    default: .json(data)
    }
  do {
    let rows = try FuzzFeed.factories.map { try FuzzFeed.rows(of: source, in: $0) }
    if FuzzFeed.isCrashPlanted, rows[0].contains(where: { $0.contains("planted") }) { fatalError("the planted crash") }
    guard rows[0] == rows[1] else { fatalError("the stores have other rows: \(rows)") }
  } catch { fatalError("\(error)") }
  return 0
}
