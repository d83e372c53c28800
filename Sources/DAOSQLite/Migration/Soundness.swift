import DAOCriteria
import DAOSQL
import GRDB

/// What was sound in a store before a migration has to be sound after it. What others have left broken is not the migration's to mend.
struct Soundness {
  private let orphans: [String: Int]?
  private let broken: Set<String>

  /// - Parameter mayBreakKeys: whether foreign keys are looked at, which reads every row that has one.
  init(of db: Database, mayBreakKeys: Bool) throws {
    orphans = mayBreakKeys ? try Self.orphans(in: db) : nil
    broken = try Set(Self.broken(in: db).keys)
  }

  /// What is broken now and was not before.
  func problems(after db: Database) throws -> [MigrationProblem] {
    let worse = try orphans.map { before in try Self.orphans(in: db).filter { $0.value > before[$0.key] ?? 0 } } ?? [:]
    let orphanProblems = worse.sorted { $0.key < $1.key }.map { key, count in
      MigrationProblem(
        entity: key, element: "", message: "\(count) row\(count == 1 ? " points" : "s point") to rows that are not there",
        hints: ["steps: [.before(version, \"…\") { store in … }], which deletes them or points them elsewhere"])
    }
    let brokenProblems = try Self.broken(in: db).filter { !broken.contains($0.key) }.sorted { $0.key < $1.key }.map { name, message in
      MigrationProblem(
        entity: name, element: "", message: "it would not work any more: \(message)",
        hints: ["steps: [.before(version, \"…\") { store in … }], which drops it or makes it anew"])
    }
    return orphanProblems + brokenProblems
  }

  /// How many rows of which table point to rows that are not there: `zone → country`.
  private static func orphans(in db: Database) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    do {
      // table, rowid, parent, fkid
      let names = try db.bareRows("PRAGMA main.foreign_key_check") { "\($0.text(0)) → \($0.text(2))" }
      for name in names { counts[name, default: 0] += 1 }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A foreign key that fits no table at all can't be checked.
      counts[error.message ?? "foreign keys"] = 1
    }
    return counts
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
