import DAOCriteria
import DAOSQL
import Foundation
import TestCases

@testable import DAOSQLite

/// A random schema, of which the tests know all that the merge has to find out.
struct MergeSchema: Sendable {
  struct Table: Sendable {
    enum Key: CaseIterable, Sendable {
      case integer, autoincrement, text, compositeWithoutRowID, compositeWithNulls, folded, none
    }

    struct Reference: Sendable {
      let columns: [Int]
      let target: Int
      let targetColumns: [Int]
    }

    let name: String
    let kind: Key
    /// The names of the columns and how they are declared.
    let columns: [(name: String, type: String)]
    let key: [Int]
    /// Columns whose values are unique, each by itself.
    let uniques: [Int]
    let hasGenerated: Bool
    var references: [Reference] = []

    var keyIsFolded: Bool { kind == .folded }
  }

  var tables: [Table]
  /// How many edits a side makes of each row, in eighths, and how many different numbers there are: the fewer, the more rows meet.
  private let (editRate, numbers): (Int, Int64)
  /// Whether all rows have two unique values and a reference, the seed mostly adds rows, and the user exchanges values and takes those of
  /// the new rows:
  /// rows of the user's make room for each other, and for rows that are held back then.
  private let isCrowded: Bool

  init(random: inout some RandomNumberGenerator) {
    isCrowded = Bool.random(using: &random)
    (editRate, numbers) =
      isCrowded || Bool.random(using: &random)
      ? (4, 9) : (Int.random(in: 3...7, using: &random), Int64.random(in: 4...9, using: &random))
    // Names that need their quotes.
    let names = ["order", "Group \"by\"", "select", "item"].shuffled(using: &random)
    tables = (0..<Int.random(in: 1...(isCrowded ? 2 : 4), using: &random)).map { [isCrowded] in Self.table(names[$0], isCrowded, &random) }
    for child in tables.indices {
      for column in tables[child].columns.indices where tables[child].columns[column].name.hasPrefix("ref") {
        guard let target = tables.indices.randomElement(using: &random) else { continue }
        let parent = tables[target]
        switch parent.kind {
        case .integer, .autoincrement, .text, .folded:
          // To the key, or to the other column that is unique.
          let columns = parent.uniques.randomElement(using: &random).flatMap { Bool.random(using: &random) ? [$0] : nil } ?? parent.key
          tables[child].references.append(Table.Reference(columns: [column], target: target, targetColumns: columns))
        case .compositeWithoutRowID, .none:
          guard let unique = parent.uniques.randomElement(using: &random) else { continue }
          tables[child].references.append(Table.Reference(columns: [column], target: target, targetColumns: [unique]))
        case .compositeWithNulls:
          guard let other = tables[child].columns.firstIndex(where: { $0.name == "v" }) else { continue }
          tables[child].references.append(Table.Reference(columns: [column, other], target: target, targetColumns: parent.key))
        }
      }
    }
  }

  private static func table(_ name: String, _ isCrowded: Bool, _ random: inout some RandomNumberGenerator) -> Table {
    let kind = (isCrowded ? [.integer, .integer, .text] : Table.Key.allCases).randomElement(using: &random) ?? .integer
    var columns: [(name: String, type: String)] =
      switch kind {
      case .integer: [("id", "INTEGER PRIMARY KEY")]
      case .autoincrement: [("id", "INTEGER PRIMARY KEY AUTOINCREMENT")]
      case .text: [("key", "TEXT PRIMARY KEY NOT NULL")]
      case .folded: [("key", "TEXT COLLATE NOCASE PRIMARY KEY NOT NULL")]
      case .compositeWithoutRowID: [("a", "INTEGER"), ("b", "TEXT COLLATE NOCASE")]
      case .compositeWithNulls: [("a", "INTEGER"), ("b", "TEXT")]
      case .none: []
      }
    let key = Array(columns.indices)
    columns += [("v", ""), ("c0", "TEXT COLLATE NOCASE")]
    var uniques: [Int] = []
    for name in ["u", "u2"].prefix(isCrowded ? 2 : [0, 1, 1, 2].randomElement(using: &random) ?? 0) {
      uniques.append(columns.count)
      // A rule that would pass over rows, or replace them, is none for a merge.
      let rule = ["", "", " ON CONFLICT IGNORE", " ON CONFLICT REPLACE"].randomElement(using: &random) ?? ""
      columns.append((name, "INTEGER UNIQUE" + rule))
    }
    for number in 0..<Int.random(in: isCrowded ? 1...1 : 0...2, using: &random) { columns.append(("ref \(number)", "")) }
    return Table(name: name, kind: kind, columns: columns, key: key, uniques: uniques, hasGenerated: Bool.random(using: &random))
  }

  /// The statements that make the tables, with the columns in their order or another.
  func sql(shuffling random: inout some RandomNumberGenerator, _ shuffles: Bool) -> [String] {
    tables.map { table in
      var parts = table.columns.map { "\($0.name.quotedIdentifier) \($0.type)" }
      if table.hasGenerated { parts.append("\"made\" AS (\"c0\" || '!')") }
      if shuffles { parts.shuffle(using: &random) }
      if table.key.count > 1 { parts.append("PRIMARY KEY (\(list(table, table.key)))") }
      for reference in table.references {
        let target = tables[reference.target]
        parts.append(
          "FOREIGN KEY (\(list(table, reference.columns))) "
            + "REFERENCES \(target.name.quotedIdentifier) (\(list(target, reference.targetColumns))) ON DELETE CASCADE")
      }
      return "CREATE TABLE \(table.name.quotedIdentifier) (\(parts.joined(separator: ", ")))"
        + (table.kind == .compositeWithoutRowID ? " WITHOUT ROWID" : "")
    }
  }

  func list(_ table: Table, _ columns: some Sequence<Int>) -> String {
    columns.map { table.columns[$0].name.quotedIdentifier }.joined(separator: ", ")
  }
}

typealias MergeRow = [StoredValue]

/// The rows of all tables.
struct MergeRows: Equatable, Sendable {
  var tables: [[MergeRow]]
}

extension MergeSchema {
  /// Whether two values are equal in a column's own collation.
  func same(_ a: StoredValue, _ b: StoredValue, isFolded: Bool) -> Bool {
    if isFolded, case .text(let a) = a, case .text(let b) = b { return a.foldedName == b.foldedName }
    return a == b
  }

  func isFolded(_ table: Int, _ column: Int) -> Bool { tables[table].columns[column].type.contains("NOCASE") }

  /// Whether two lists of values are equal and hold no null.
  func meet(_ a: MergeRow, _ columns: [Int], _ b: MergeRow, _ others: [Int], in table: Int) -> Bool {
    zip(columns, others).allSatisfy { column, other in
      !a[column].isNull && same(a[column], b[other], isFolded: isFolded(table, column))
    }
  }

  func sameKey(_ table: Int, _ a: MergeRow, _ b: MergeRow) -> Bool {
    let key = tables[table].key
    return !key.isEmpty && meet(a, key, b, key, in: table)
  }

  func hasKey(_ table: Int, _ row: MergeRow) -> Bool {
    !tables[table].key.isEmpty && tables[table].key.allSatisfy { !row[$0].isNull }
  }

  // MARK: Random rows

  func randomRows(_ random: inout some RandomNumberGenerator) -> MergeRows {
    var rows = MergeRows(tables: tables.map { _ in [] })
    for table in tables.indices {
      for _ in 0..<Int.random(in: isCrowded ? 3...7 : 0...10, using: &random) { rows.tables[table].append(randomRow(table, &random)) }
    }
    return valid(rows)
  }

  /// The rows with some of them changed, deleted and added.
  /// - Parameter seed: the new seed, whose rows the user's meet; nil for its own makers.
  func edited(_ rows: MergeRows, meeting seed: MergeRows?, _ random: inout some RandomNumberGenerator) -> MergeRows {
    var rows = rows
    let (changed, exchanged) = !isCrowded ? (editRate - 1, editRate) : seed == nil ? (1, 1) : (1, 3)
    for table in tables.indices {
      for index in rows.tables[table].indices.reversed() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !isCrowded || Bool.random(using: &random): rows.tables[table].remove(at: index)
        case 1..<changed:
          let other = randomRow(table, &random)
          let free = tables[table].columns.indices.filter { !tables[table].key.contains($0) }
          for column in free where Bool.random(using: &random) { rows.tables[table][index][column] = other[column] }
        case changed..<exchanged:
          // Two rows change their values with each other.
          guard let other = rows.tables[table].indices.randomElement(using: &random),
            let unique = tables[table].uniques.randomElement(using: &random)
          else { continue }
          let value = rows.tables[table][index][unique]
          rows.tables[table][index][unique] = rows.tables[table][other][unique]
          rows.tables[table][other][unique] = value
        default: break
        }
      }
      for _ in 0..<Int.random(in: isCrowded ? 2...4 : 0...4, using: &random) { rows.tables[table].append(randomRow(table, &random)) }
    }
    if isCrowded, let seed { meet(seed, &rows, &random) }
    if isCrowded { link(&rows, &random) }
    return valid(rows)
  }

  /// For each unique value of a new row of the seed's, a row of the user's takes it.
  private func meet(_ seed: MergeRows, _ rows: inout MergeRows, _ random: inout some RandomNumberGenerator) {
    for table in tables.indices {
      let news = seed.tables[table].filter { row in !rows.tables[table].contains { sameKey(table, $0, row) } }
      for new in news where Bool.random(using: &random) {
        for unique in tables[table].uniques {
          guard let index = rows.tables[table].indices.randomElement(using: &random) else { continue }
          rows.tables[table][index][unique] = new[unique]
        }
      }
    }
  }

  /// Some rows without a reference get one to a row that is there.
  private func link(_ rows: inout MergeRows, _ random: inout some RandomNumberGenerator) {
    for table in tables.indices {
      guard let reference = tables[table].references.first, reference.columns.count == 1 else { continue }
      for index in rows.tables[table].indices
      where rows.tables[table][index][reference.columns[0]].isNull && Int.random(in: 0..<4, using: &random) == 0 {
        guard let other = rows.tables[reference.target].randomElement(using: &random) else { continue }
        rows.tables[table][index][reference.columns[0]] = other[reference.targetColumns[0]]
      }
    }
  }

  private func randomRow(_ table: Int, _ random: inout some RandomNumberGenerator) -> MergeRow {
    tables[table].columns.indices.map { column in
      let description = tables[table].columns[column]
      let small = Int64.random(in: 1...numbers, using: &random)
      switch description.name {
      case "id" where isCrowded, "u" where isCrowded, "u2" where isCrowded:
        return .integer(Int64.random(in: 1...2 * numbers, using: &random))
      case "id": return .integer(small)
      case "key": return .text(["a", "A", "b", "B", "c", "d", "e"].randomElement(using: &random) ?? "a")
      case "a": return tables[table].kind == .compositeWithNulls && small > numbers * 7 / 9 ? .null : .integer(small % 3)
      case "b":
        return tables[table].kind == .compositeWithNulls && small > numbers * 7 / 9
          ? .null : .text(["x", "X", "y"].randomElement(using: &random) ?? "x")
      case "u", "u2": return small > numbers * 7 / 9 ? .null : .integer(small)
      case "c0": return small > numbers * 7 / 9 ? .null : .text(["one", "ONE", "two"].randomElement(using: &random) ?? "")
      case "v":
        return [.null, .integer(small % 3), .real(0.5), .text("x"), .text("y"), .blob(Data([1, 0]))].randomElement(using: &random) ?? .null
      default: return reference(table, column, &random)
      }
    }
  }

  /// A value that may well be one of the rows referenced.
  private func reference(_ table: Int, _ column: Int, _ random: inout some RandomNumberGenerator) -> StoredValue {
    guard !isCrowded, let reference = tables[table].references.first(where: { $0.columns.contains(column) }),
      Int.random(in: 0..<4, using: &random) > 0,
      let target = reference.targetColumns.first
    else { return .null }
    let described = tables[reference.target].columns[target]
    let small = Int64.random(in: 1...numbers, using: &random)
    switch described.name {
    case "key": return .text(["a", "A", "b", "B", "c", "d", "e"].randomElement(using: &random) ?? "a")
    case "a": return .integer(small % 3)
    default: return .integer(small)
    }
  }

  /// The rows that the schema allows: keys and unique values once, references met.
  private func valid(_ rows: MergeRows) -> MergeRows {
    var rows = rows
    for table in tables.indices {
      var kept: [MergeRow] = []
      for row in rows.tables[table] {
        let isDouble = kept.contains { other in
          sameKey(table, other, row) || tables[table].uniques.contains { meet(other, [$0], row, [$0], in: table) }
        }
        if !isDouble { kept.append(row) }
      }
      rows.tables[table] = kept
    }
    while true {
      let before = rows
      for table in tables.indices {
        for reference in tables[table].references {
          rows.tables[table].removeAll { row in
            !reference.columns.contains { row[$0].isNull }
              && !before.tables[reference.target].contains {
                meet($0, reference.targetColumns, row, reference.columns, in: reference.target)
              }
          }
        }
      }
      if rows == before { return rows }
    }
  }
}
