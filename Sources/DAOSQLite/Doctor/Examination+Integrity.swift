import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation

extension Examination {
  /// Reports the findings of `PRAGMA integrity_check` about the pages, and about the agreement between rows, indexes and constraints.
  ///
  /// Nulls in attributes that must have a value are reported by ``examineValues(of:)`` with their rows.
  mutating func examineIntegrity() throws {
    var (indexes, constraints, damage): ([String: [String]], [String: Int], [String]) = ([:], [:], [])
    let lines = try rows("PRAGMA main.integrity_check(\(Self.lineLimit))").compactMap(\.first).compactMap(\.line)
    for line in lines where line != "ok" {
      if let index = Self.index(in: line) {
        indexes[index, default: []].append(line)
      } else if ["non-unique entry in ", "CHECK constraint failed in "].contains(where: line.hasPrefix) || line.contains(" value in ") {
        constraints[line, default: 0] += 1
      } else {
        damage.append(line)
      }
    }
    if !damage.isEmpty { add(Finding(.damage, Self.sentence(damage), repair: Self.restore)) }
    for (index, lines) in indexes.sorted(by: { $0.key < $1.key }) {
      let table = schema.tables.first { $0.indexes.contains { SchemaName.same($0.name, index) } }
      add(Finding(.brokenIndex, of: table?.name, at: index, Self.sentence(lines), repair: try repair(index, in: table)))
    }
    let more = lines.count < Self.lineLimit ? "" : ", and perhaps in more rows"
    // A line for each row.
    for (line, count) in constraints.sorted(by: { $0.key < $1.key }) where !entities.contains(where: { $0.description.tells(line) }) {
      let (table, element) = subject(of: line)
      add(
        Finding(
          .constraint, of: table, at: element, rows: count, line + more,
          repair: Repair("change or delete the rows; no write lets in others like them, so they came in past SQLite or before the rule")))
    }
  }

  /// SQLite goes no further.
  private static let lineLimit = 1000

  /// The table that a line is about, by the name of its entity where it has one, and the column or the index.
  private func subject(of line: String) -> (table: String?, element: String?) {
    for table in schema.tables {
      let name = entities.first { SchemaName.same($0.description.table, table.name) }?.description.name ?? table.name
      if line.hasSuffix(" failed in \(table.name)") { return (name, nil) }
      if let column = table.columns.first(where: { line.hasSuffix(" value in \(table.name).\($0.name)") }) { return (name, column.name) }
      if let index = table.indexes.first(where: { line.hasSuffix(" in index \($0.name)") }) { return (name, index.name) }
    }
    return (nil, nil)
  }

  private func repair(_ name: String, in table: StoreSchema.Table?) throws -> Repair {
    if let table, let index = table.indexes.first(where: { SchemaName.same($0.name, name) }), index.isUnique {
      guard index.isPlain else { return Repair("make the index anew: REINDEX, which fails where rows have the same values in it") }
      let doubles = try doubles(of: table, index.columns.map(\.quotedIdentifier))
      if doubles > 0 {
        return Repair(
          "tell the \(doubles) rows of \(table.name) apart that have the same \(index.columns.joined(separator: ", ")), "
            + "which came in past the index; then make it anew: REINDEX")
      }
    }
    // Without the schema, the name of a collation would be taken for it.
    return Repair("make the index anew from its table", sql: ["REINDEX main.\(name.quotedIdentifier)"])
  }

  /// The index that a line says is not in step with its table.
  private static func index(in line: String) -> String? {
    for mark in [" missing from index ", "wrong # of entries in index ", " values differ from index ", " end-of-record for row "] {
      guard let range = line.range(of: mark) else { continue }
      let rest = line[range.upperBound...]
      return mark.hasSuffix("row ") ? rest.range(of: " of index ").map { String(rest[$0.upperBound...]) } : String(rest)
    }
    return nil
  }

  /// The first few of many lines.
  private static func sentence(_ lines: [String]) -> String {
    let more = lines.count - Example.limit
    return lines.prefix(Example.limit).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }
}

extension StoredValue {
  /// A text on one line.
  fileprivate var line: String? { if case .text(let text) = self { text.replacing("\n", with: " ") } else { nil } }
}

extension EntityDescription {
  /// Whether `NULL value in zone.name` is about an attribute that must have a value.
  fileprivate func tells(_ line: String) -> Bool { attributes.contains { !$0.isOptional && line == "NULL value in \(table).\($0.column)" } }
}
