import DAOCriteria
import Foundation

extension SeedFileReader {
  mutating func readJSON(_ data: Data, _ put: Put) throws {
    var scanner = JSONScanner(data, maximumDepth: JSONScanner.documentDepth)
    let node: JSONNode
    do { node = try scanner.scan() } catch let error as NotJSON { return add("is no JSON: \(error.problem)") }
    for problem in scanner.problems { add("\(problem)") }
    guard case .list(let items) = node else { return add("expects a list of objects, not \(node.kind)") }
    for (index, item) in items.enumerated() where !isFull {
      guard case .object(let members) = item else {
        add("expects an object, not \(item.kind)", row: index + 1)
        continue
      }
      for member in members where entity[member.name] == nil { add(unknown: member.name, row: index + 1) }
      let values = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      try putRow(index + 1, put) { try values[$0.name]?.value(of: $0) }
    }
  }
}

extension JSONNode {
  /// The value of an attribute.
  fileprivate func value(of attribute: Attribute) throws -> Scalar {
    switch (self, attribute.type) {
    case (.object, .json), (.list, .json), (.number, .json), (.bool, .json): .text(json)
    default: try scalar(as: attribute.type)
    }
  }
}
