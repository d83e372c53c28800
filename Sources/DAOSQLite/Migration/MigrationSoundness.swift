import DAOCriteria
import DAOSQL
import GRDB

/// Checks that everything that was sound in a store before a migration is sound after it. Damage from others is not the migration's to
/// repair.
struct MigrationSoundness {
  /// A foreign key, by the names of its table, of its columns and of the table that it leads to.
  private struct Key: Hashable, Comparable {
    var table: String
    var columns: [String]
    var target: String

    private var names: [String] { [table, target] + columns }

    // As SQLite compares names.
    static func == (a: Key, b: Key) -> Bool { SchemaName.same(a.names, b.names) }
    static func < (a: Key, b: Key) -> Bool { a.names.lexicographicallyPrecedes(b.names) }
    func hash(into hasher: inout Hasher) { for name in names { hasher.combine(SchemaName(name)) } }
  }

  /// Rows that point to rows that are not there.
  private struct Orphans {
    /// Their row ids; those of a table without row ids are one.
    var rows: Set<Int64> = []
    var count = 0
  }

  private let orphans: [Key: Orphans]?
  private let broken: Set<String>

  /// - Parameter mayBreakKeys: whether foreign keys are checked, which reads every row that has one.
  init(of db: Database, mayBreakKeys: Bool) throws {
    orphans = mayBreakKeys ? try Self.orphans(in: db) : nil
    broken = try Set(Self.broken(in: db).keys)
  }

  /// Returns the problems that exist now and did not before.
  /// - Parameter steps: those that were taken, which may have renamed tables.
  func problems(after db: Database, _ steps: [Migration.Step]) throws -> [DAOError.MigrationProblem] {
    let script = "steps: [.before(version, \"…\") { store in … }]"
    let known = orphans.map { Self.renamed($0, by: steps) }
    let orphanProblems = try known.map { known in
      try Self.orphans(in: db).sorted { $0.key < $1.key }.compactMap { key, found -> DAOError.MigrationProblem? in
        let before = known[key] ?? Orphans()
        let count = max(found.rows.subtracting(before.rows).count, found.count - before.count)
        if count == 0 { return nil }
        return DAOError.MigrationProblem(
          entity: key.table, element: key.columns.joined(separator: ", "),
          message: "\(count) row\(count == 1 ? " points" : "s point") to rows of \(key.target) that are not there",
          hints: [script + ", which deletes them or points them elsewhere"])
      }
    }
    let brokenProblems = try newlyBroken(in: db).sorted { $0.key < $1.key }.map { name, message in
      DAOError.MigrationProblem(
        entity: name, element: "", message: "it would not work any more: \(message)", hints: [script + ", which drops it or makes it anew"])
    }
    return (orphanProblems ?? []) + brokenProblems
  }

  /// The views and triggers that can't be compiled now and could before, or were not there, and why.
  func newlyBroken(in db: Database) throws -> [String: String] { try Self.broken(in: db).filter { !broken.contains($0.key) } }

  /// Under the names that the tables have now.
  private static func renamed(_ orphans: [Key: Orphans], by steps: [Migration.Step]) -> [Key: Orphans] {
    steps.reduce(orphans) { orphans, step in
      Dictionary(
        orphans.map { key, rows in
          var key = key
          switch step.change {
          case .renameTable(let old):
            if SchemaName.same(key.table, old) { key.table = step.table }
            if SchemaName.same(key.target, old) { key.target = step.table }
          case .renameColumn(let old, let new) where SchemaName.same(key.table, step.table):
            key.columns = key.columns.map { SchemaName.same($0, old) ? new : $0 }
          default: break
          }
          return (key, rows)
        }
      ) { first, _ in first }
    }
  }

  private static func orphans(in db: Database) throws -> [Key: Orphans] {
    var found: [Key: Orphans] = [:]
    // Table by table: SQLite checks nothing at all where one key leads to columns that are none.
    for table in try db.bareRows("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%REFERENCES%'", { $0.text(0) }) {
      // id, seq, table, from
      let keys = try db.bareRows("PRAGMA main.foreign_key_list(\(table.quotedIdentifier))") { row in
        (id: row.integer(0), target: row.text(2), column: row.text(3))
      }
      do {
        // table, rowid, parent, fkid
        for orphan in try db.bareRows(
          "PRAGMA main.foreign_key_check(\(table.quotedIdentifier))", { ($0.integer(1), $0.text(2), $0.integer(3)) })
        {
          let columns = keys.filter { $0.id == orphan.2 }.map(\.column)
          let key = Key(table: table, columns: columns, target: orphan.1)
          found[key, default: Orphans()].rows.insert(orphan.0)
          found[key, default: Orphans()].count += 1
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        found[Key(table: table, columns: [], target: "columns that are no key"), default: Orphans()].count += 1
      }
    }
    return found
  }

  /// The views and triggers that can't be compiled, and why.
  private static func broken(in db: Database) throws -> [String: String] {
    try db.trustSearchTriggers()
    let objects = try db.bareRows("SELECT type, name, tbl_name FROM main.sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY name") {
      (type: $0.text(0), name: $0.text(1), table: $0.text(2))
    }
    var found: [String: String] = [:]
    var expansion = try SchemaCatalog(of: db).viewExpansion()
    for object in objects where object.type == "view" {
      found[object.name] = try expansion.problem(of: object.name) ?? db.failure(of: ["SELECT * FROM \(object.name.quotedIdentifier)"])
    }
    for (table, triggers) in Dictionary(grouping: objects.filter { $0.type == "trigger" }, by: \.table) {
      if found[table] != nil { continue }
      // A trigger is compiled with what fires it, and with those that are fired by the same.
      guard try db.failure(ofTriggersOf: table) != nil else { continue }
      for trigger in triggers {
        try db.run("SAVEPOINT dao_alone")
        for other in triggers where other.name != trigger.name { try db.run("DROP TRIGGER main.\(other.name.quotedIdentifier)") }
        found[trigger.name] = try db.failure(ofTriggersOf: table)
        try db.run("ROLLBACK TO dao_alone")
        try db.run("RELEASE dao_alone")
      }
    }
    return found
  }
}
