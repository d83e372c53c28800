import DAOCriteria
import DAOSQL
import Foundation
import GRDB

/// What was sound in a store before a migration has to be sound after it. What others have left broken is not the migration's to mend.
struct Soundness {
  /// Rows that point to rows that are not there.
  private struct Orphans {
    /// Their row ids; those of a table without row ids are one.
    var rows: Set<Int64> = []
    var count = 0
  }

  private let orphans: [String: Orphans]?
  private let broken: Set<String>

  /// - Parameter mayBreakKeys: whether foreign keys are looked at, which reads every row that has one.
  init(of db: Database, mayBreakKeys: Bool) throws {
    orphans = mayBreakKeys ? try Self.orphans(in: db) : nil
    broken = try Set(Self.broken(in: db).keys)
  }

  /// What is broken now and was not before.
  /// - Parameter steps: those that were taken, which may have renamed tables.
  func problems(after db: Database, _ steps: [MigrationStep]) throws -> [MigrationProblem] {
    var problems: [MigrationProblem] = []
    if var before = orphans {
      for case (let new, .renameTable(let old)) in steps.map({ ($0.table, $0.change) }) {
        before = Dictionary(before.map { (Self.renamed($0.key, old, new), $0.value) }) { first, _ in first }
      }
      for (key, found) in try Self.orphans(in: db).sorted(by: { $0.key < $1.key }) {
        let known = before[key] ?? Orphans()
        let count = max(found.rows.subtracting(known.rows).count, found.count - known.count)
        guard count > 0 else { continue }
        problems.append(
          MigrationProblem(
            entity: key, element: "", message: "\(count) row\(count == 1 ? " points" : "s point") to rows that are not there",
            hints: ["steps: [.before(version, \"…\") { store in … }], which deletes them or points them elsewhere"]))
      }
    }
    return try problems
      + Self.broken(in: db).filter { !broken.contains($0.key) }.sorted { $0.key < $1.key }.map { name, message in
        MigrationProblem(
          entity: name, element: "", message: "it would not work any more: \(message)",
          hints: ["steps: [.before(version, \"…\") { store in … }], which drops it or makes it anew"])
      }
  }

  private static let arrow = " → "

  private static func renamed(_ key: String, _ old: String, _ new: String) -> String {
    key.components(separatedBy: arrow).map { SchemaName.same($0, old) ? new : $0 }.joined(separator: arrow)
  }

  /// The orphans by their table and the one that they point to: `zone → country`.
  private static func orphans(in db: Database) throws -> [String: Orphans] {
    var found: [String: Orphans] = [:]
    // Table by table: SQLite checks nothing at all where one key fits no table.
    for table in try db.bareRows("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%REFERENCES%'", { $0.text(0) }) {
      do {
        // table, rowid, parent, fkid
        _ = try db.bareRows("PRAGMA main.foreign_key_check(\(table.quotedIdentifier))") { row in
          let key = row.text(0) + arrow + row.text(2)
          found[key, default: Orphans()].rows.insert(row.integer(1))
          found[key, default: Orphans()].count += 1
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        found[table + arrow + "columns that are no key", default: Orphans()].count += 1
      }
    }
    return found
  }

  /// The views and triggers that can't be compiled, and why.
  private static func broken(in db: Database) throws -> [String: String] {
    var found: [String: String] = [:]
    func compile(_ name: String, _ sql: String) throws {
      do { try db.run(sql) } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR { found[name] = error.message ?? "" }
    }
    let objects = try db.bareRows("SELECT type, name, tbl_name FROM main.sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY name") {
      (type: $0.text(0), name: $0.text(1), table: $0.text(2))
    }
    for object in objects where object.type == "view" {
      try compile(object.name, "EXPLAIN SELECT * FROM \(object.name.quotedIdentifier)")
    }
    // A trigger is compiled with what fires it.
    for table in Set(objects.lazy.filter { $0.type == "trigger" }.map(\.table)).sorted() {
      let columns = try db.bareRows("PRAGMA main.table_info(\(table.quotedIdentifier))") { $0.text(1).quotedIdentifier }
      let quoted = table.quotedIdentifier
      try compile(
        "triggers of \(table) on INSERT",
        "EXPLAIN INSERT INTO \(quoted) (\(columns.joined(separator: ", "))) "
          + "SELECT \(columns.map { _ in "NULL" }.joined(separator: ", "))")
      try compile(
        "triggers of \(table) on UPDATE", "EXPLAIN UPDATE \(quoted) SET " + columns.map { "\($0) = \($0)" }.joined(separator: ", "))
      try compile("triggers of \(table) on DELETE", "EXPLAIN DELETE FROM \(quoted)")
    }
    return found
  }
}
