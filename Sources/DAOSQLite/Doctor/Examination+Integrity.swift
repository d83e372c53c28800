import DAOCriteria
import DAOSQL
import Foundation

extension Examination {
  /// What `PRAGMA integrity_check` tells of the pages, and of the agreement between rows, indexes and constraints.
  ///
  /// Nulls in attributes that must have a value are told by ``examineValues(of:)`` with their rows.
  mutating func examineIntegrity() throws {
    var (indexes, constraints, damage): ([String: [String]], [String], [String]) = ([:], [], [])
    for line in try rows("PRAGMA main.integrity_check(1000)").compactMap(\.first).compactMap(\.line) where line != "ok" {
      if let index = Self.index(in: line) {
        indexes[index, default: []].append(line)
      } else if ["non-unique entry in ", "NULL value in ", "CHECK constraint failed in "].contains(where: line.hasPrefix) {
        constraints.append(line)
      } else {
        damage.append(line)
      }
    }
    if !damage.isEmpty { add(Finding(.damage, Self.sentence(damage), mend: Self.restore)) }
    for (index, lines) in indexes.sorted(by: { $0.key < $1.key }) {
      add(
        Finding(
          .brokenIndex, at: index, Self.sentence(lines),
          mend: Mend("make the index anew from its table", sql: ["REINDEX \(index.quotedIdentifier)"])))
    }
    constraints.removeAll { line in entities.contains { $0.description.tells(line) } }
    if !constraints.isEmpty {
      add(
        Finding(
          .constraint, Self.sentence(constraints),
          mend: Mend("change or delete the rows; no write lets in others like them, so they came in past SQLite or before the rule")))
    }
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
