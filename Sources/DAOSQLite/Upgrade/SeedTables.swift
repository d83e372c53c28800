import DAOCriteria
import DAOSQL
import GRDB

/// The tables that only the new seed has, made in the store from the seed's own SQL, with their indexes, triggers and search tables, still
/// empty. One that the base has too is one that the store has dropped, and stays away.
struct SeedTables {
  private let names: [MergeSide?: Set<String>]

  /// Looks at the store and the attached seeds.
  init(in db: Database) throws {
    var names: [MergeSide?: Set<String>] = [:]
    for side in [nil, MergeSide.base, .seed] {
      let listed = try db.bareRows("PRAGMA \(side?.rawValue ?? "main").table_list") { row in (name: row.text(1), type: row.text(2)) }
      // In the seed, tables of its own alone; elsewhere, whatever has the name.
      names[side] = Set(listed.filter { side != .seed || $0.type == "table" }.map(\.name.foldedName))
    }
    self.names = names
  }

  /// Makes them.
  func make(in db: Database) throws {
    let new = (names[.seed] ?? []).subtracting(names[nil] ?? []).subtracting(names[.base] ?? []).filter { !$0.hasPrefix("sqlite_") }
      .subtracting([SeedStamp.table])
    if new.isEmpty { return }
    let objects = try db.bareRows("SELECT type, name, tbl_name, sql FROM \(MergeSide.seed.rawValue).sqlite_schema ORDER BY rowid") { row in
      (type: row.text(0), name: row.text(1).foldedName, table: row.text(2).foldedName, sql: row.optionalText(3))
    }
    let searches = Set(new.map { EntityDescription.searchTable(of: $0).foldedName })
    let ofTables = objects.filter { $0.type == "table" && (new.contains($0.name) || searches.contains($0.name)) }
    let others = objects.filter { $0.type == "index" || $0.type == "trigger" }.filter { new.contains($0.table) }
    // Triggers come last, since they may name any of the rest.
    for object in ofTables + others.sorted(by: { $0.type < $1.type }) {
      if let sql = object.sql { try db.run(sql) }
    }
  }
}
