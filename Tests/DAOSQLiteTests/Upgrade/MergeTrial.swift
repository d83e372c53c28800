import DAOCriteria
import DAOSQL
import Foundation
import GRDB

@testable import DAOSQLite

/// The three sides of a merge, with random rows.
struct MergeSides {
  let schema: MergeSchema
  let base: MergeRows
  let mine: MergeRows
  let seed: MergeRows

  init(random: inout some RandomNumberGenerator) {
    schema = MergeSchema(random: &random)
    base = schema.randomRows(&random)
    seed = schema.edited(base, meeting: nil, &random)
    mine = schema.edited(base, meeting: seed, &random)
  }
}

/// Three databases with random rows, and what the merge makes of them beside what the model does.
struct MergeTrial {
  let scratch: Scratch
  private let sides: MergeSides
  var schema: MergeSchema { sides.schema }
  var base: MergeRows { sides.base }
  var mine: MergeRows { sides.mine }
  var seed: MergeRows { sides.seed }

  init(random: inout some RandomNumberGenerator) throws {
    sides = MergeSides(random: &random)
    scratch = try Scratch()
    try write(base, "base", shuffling: &random, false)
    try write(mine, "mine", shuffling: &random, false)
    try write(seed, "seed", shuffling: &random, true)
  }

  private func write(_ rows: MergeRows, _ name: String, shuffling random: inout some RandomNumberGenerator, _ shuffles: Bool) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    let queue = try DatabaseQueue(path: scratch.url(name).path, configuration: configuration)
    try queue.write { db in
      for statement in schema.sql(shuffling: &random, shuffles) { try db.execute(sql: statement) }
      for (table, rows) in zip(schema.tables, rows.tables) {
        let sql =
          "INSERT INTO \(table.name.quotedIdentifier) (\(schema.list(table, table.columns.indices))) "
          + "VALUES (\(table.columns.map { _ in "?" }.joined(separator: ", ")))"
        for row in rows { try db.execute(sql: sql, arguments: StatementArguments(row.map(\.databaseValue))) }
      }
    }
    try queue.close()
  }

  /// Merges into the store, and looks at what is there then.
  func merge(
    _ policy: SeedConflict.Policy, base: String = "base", seed: String = "seed"
  ) throws -> (rows: MergeRows, report: [SeedUpgradeReport.Table]) {
    try SQLiteFile.open(scratch.url("mine").path) { db in
      for (side, name) in [(MergeSide.base, base), (.seed, seed)] {
        try db.execute(
          sql: "ATTACH DATABASE ? AS \(side.rawValue)",
          arguments: [SQLiteConfiguration.uri(scratch.url(name), "mode=ro&immutable=1")])
      }
      try db.execute(sql: "PRAGMA synchronous = OFF; BEGIN IMMEDIATE")
      defer { if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") } }
      var merge = try SeedMerge(in: db, store: "mine", policy)
      let report = try merge.run()
      try db.execute(sql: "COMMIT")
      return (try rows(db), report)
    }
  }

  func rows(_ db: Database) throws -> MergeRows {
    MergeRows(
      tables: try schema.tables.map { table in
        try Row.fetchAll(db, sql: "SELECT \(schema.list(table, table.columns.indices)) FROM \(table.name.quotedIdentifier)").map { row in
          row.databaseValues.map(\.stored)
        }
      })
  }

  /// What makes the trial again by hand.
  var description: String {
    let tables = schema.tables.map { "\($0.name) \($0.kind) \($0.columns.map(\.name)) \($0.references)" }
    func text(_ rows: MergeRows) -> String { rows.tables.map { "\n  " + $0.map { "\($0)" }.joined(separator: "\n  ") }.joined() }
    return "\(tables.joined(separator: "\n"))\nbase\(text(base))\nmine\(text(mine))\nseed\(text(seed))"
  }
}

/// Rows without their order.
func counted(_ rows: [MergeRow]) -> [MergeRow: Int] { rows.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

/// What a report says, without the order of what it lists.
struct MergeSummary: Hashable {
  var counts: [String: [Int]] = [:]
  var referenced: [String: [[String: StoredValue]: Int]] = [:]
  var heldBack: [String: [[String: StoredValue]: Int]] = [:]
  var moved: [String: [Int64: Int64]] = [:]
  var conflicts: [SeedUpgradeReport.Conflict: Int] = [:]

  init(_ report: [SeedUpgradeReport.Table]) {
    for table in report {
      counts[table.name] = [table.added, table.changed, table.deleted, table.editsKept, table.deletionsKept]
      referenced[table.name] = Self.count(table.referenced)
      heldBack[table.name] = Self.count(table.heldBack)
      moved[table.name] = table.moved
      for conflict in table.conflicts { conflicts[conflict, default: 0] += 1 }
    }
  }

  init(_ model: MergeModel) {
    let found = model.conflicts
    for (number, table) in model.schema.tables.enumerated() {
      let changes = model.changes[number]
      func count(_ isCounted: (MergeModel.Change) -> Bool) -> Int { changes.filter(isCounted).count }
      let found = found.filter { $0.change.table == number }.map {
        SeedUpgradeReport.Conflict(conflict: $0.conflict, decision: $0.decision)
      }
      let stayed = found.filter { $0.conflict.cause == .edited && $0.decision == .mine }
      let counts = [
        count { $0.act == .put && $0.old == nil }, count { $0.act == .put && $0.old != nil },
        count { $0.act == .delete && $0.kind != .inTheWay }, stayed.filter { $0.conflict.mine != nil }.count,
        stayed.filter { $0.conflict.mine == nil }.count,
      ]
      func keys(_ why: MergeReason) -> [[String: StoredValue]: Int] {
        Self.count(changes.filter { $0.act == .keep && $0.why == why }.map { model.key(number, $0.row) })
      }
      let moved = model.moved[number] ?? [:]
      guard counts.contains(where: { $0 > 0 }) || !found.isEmpty || !keys(.referenced).isEmpty || !keys(.heldBack).isEmpty || !moved.isEmpty
      else { continue }
      self.counts[table.name] = counts
      referenced[table.name] = keys(.referenced)
      heldBack[table.name] = keys(.heldBack)
      self.moved[table.name] = moved
      for conflict in found { conflicts[conflict, default: 0] += 1 }
    }
  }

  private static func count(_ keys: [[String: StoredValue]]) -> [[String: StoredValue]: Int] {
    keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

extension MergeRows {
  /// The rows with the keys that a report says some of them have now, and what references them too.
  func moved(by report: [SeedUpgradeReport.Table], _ schema: MergeSchema) -> MergeRows {
    var rows = self
    for report in report {
      guard let table = schema.tables.firstIndex(where: { $0.name == report.name }) else { continue }
      func moved(_ value: StoredValue) -> StoredValue {
        if case .integer(let key) = value { report.moved[key].map { .integer($0) } ?? value } else { value }
      }
      for child in schema.tables.indices {
        for reference in schema.tables[child].references
        where reference.target == table && reference.targetColumns == schema.tables[table].key {
          for index in rows.tables[child].indices {
            rows.tables[child][index][reference.columns[0]] = moved(rows.tables[child][index][reference.columns[0]])
          }
        }
      }
      guard !report.moved.isEmpty, let key = schema.tables[table].key.first else { continue }
      for index in rows.tables[table].indices { rows.tables[table][index][key] = moved(rows.tables[table][index][key]) }
    }
    return rows
  }
}
