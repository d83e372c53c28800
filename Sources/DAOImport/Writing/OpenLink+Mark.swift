import DAOKit
import DAORecords
import Foundation

// A link as a mark has it. An import may go on in another version of the program, so entities and relationships have their names.
extension OpenLink {
  private struct Stored: Codable {
    let entity, relationship: String
    /// The values by which the rows are found, and their attributes.
    let row, target: [Value]
    let rowNames, targetNames: [String]
    let line, column: Int
    let record, path: [String]
  }

  private enum Value: Codable {
    case null
    case integer(Int64)
    /// The bits of a double, since JSON has no infinity.
    case real(UInt64)
    case text(String)
    case blob(Data)

    init(_ value: StoredValue) {
      switch value {
      case .integer(let integer): self = .integer(integer)
      case .real(let real): self = .real(real.bitPattern)
      case .text(let text): self = .text(text)
      case .blob(let data): self = .blob(data)
      case .null: self = .null
      }
    }

    var stored: StoredValue {
      switch self {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let bits): .real(Double(bitPattern: bits))
      case .text(let text): .text(text)
      case .blob(let data): .blob(data)
      }
    }
  }

  /// Where its value stands in the feed, and for which relationship: two may read the same.
  func place(_ plan: RecordPlan) -> String {
    "\(origin.number)\((origin.path + path).jsonPointer) \(plan.entities[source.plan].relationships[source.relationship].name)"
  }

  /// The mark of the link.
  func mark(_ name: String, _ plan: RecordPlan) throws -> ImportMark {
    let entity = plan.entities[source.plan]
    let stored = Stored(
      entity: entity.entity.name, relationship: entity.relationships[source.relationship].name, row: source.row.values.map(Value.init),
      target: target.identity.values.map(Value.init),
      rowNames: entity.keyNames, targetNames: plan.entities[target.plan].identityAttributes, line: origin.position.line,
      column: origin.position.column, record: origin.path,
      path: path)
    return ImportMark(
      name, link: place(plan), records: origin.number, waiting: String(decoding: try JSONEncoder().encode(stored), as: UTF8.self))
  }

  /// The link of a mark.
  /// - Throws: ``DAOError/misuse(_:use:)`` where the mapping does not have its relationship.
  init(_ mark: ImportMark, _ plan: RecordPlan) throws {
    let stored = try? JSONDecoder().decode(Stored.self, from: Data((mark.waiting ?? "").utf8))
    guard let stored, let source = plan.entities.firstIndex(where: { $0.entity.name == stored.entity }),
      let relationship = plan.entities[source].relationships.firstIndex(where: { $0.name == stored.relationship }),
      let row = RowIdentity(stored.row.map(\.stored)), let target = RowIdentity(stored.target.map(\.stored)),
      plan.entities[source].keyNames == stored.rowNames,
      plan.entities[plan.entities[source].relationships[relationship].target].identityAttributes == stored.targetNames
    else {
      let relationship = stored.map { "\($0.entity).\($0.relationship) to \($0.targetNames.joined(separator: ", "))" } ?? "its links"
      throw DAOError.misuse("a mapping without \(relationship) for the import '\(mark.name)', which goes on", use: "the same mapping")
    }
    self.init(
      source: Source(plan: source, relationship: relationship, row: row),
      target: Target(plan: plan.entities[source].relationships[relationship].target, identity: target),
      origin: RecordOrigin(
        number: Int(mark.records), position: TextPosition(line: stored.line, column: stored.column), path: stored.record),
      path: stored.path)
  }
}

extension EntityPlan {
  /// The names of the attributes of the key.
  fileprivate var keyNames: [String] { keyPositions.map { entity.attributes[$0].name } }

  /// The names of the attributes of the identity.
  fileprivate var identityAttributes: [String] { identity.map { entity.attributes[$0].name } }
}
