import DAOCriteria
import DAOSQL
import GRDB

/// The tables that only the new seed has, made in the store from the seed's own SQL, with their indexes, their triggers and the virtual tables
/// that these fill, still empty. One that the base has too is one that the store has dropped, and stays away; and so does a trigger that names it.
struct SeedTables {
  /// What the new seed has and neither the store nor the base.
  private let (new, newVirtual): (Set<SchemaName>, Set<SchemaName>)

  /// Looks at the store and the attached seeds.
  init(in db: Database) throws {
    func listed(_ side: String) throws -> [(name: SchemaName, kind: SchemaCatalog.Kind)] {
      try SchemaCatalog(of: db, side: side).entries.map { (name: $0.name.foldedName, kind: $0.kind) }
    }
    let taken = try Set((listed("main") + listed(MergeSide.base.rawValue)).map(\.name))
    let free = try listed(MergeSide.seed.rawValue).filter {
      !taken.contains($0.name) && $0.name != SeedStamp.table.foldedName
    }
    new = Set(free.filter { $0.kind == .table }.map(\.name))
    newVirtual = Set(free.filter { $0.kind == .virtual }.map(\.name))
  }

  /// Makes them.
  func make(in db: Database) throws {
    if new.isEmpty { return }
    let soundness = try Soundness(of: db, mayBreakKeys: false)
    let objects = try db.bareRows("SELECT type, name, tbl_name, sql FROM \(MergeSide.seed.rawValue).sqlite_schema ORDER BY rowid") { row in
      (type: row.text(0), name: row.text(1), table: row.text(2).foldedName, sql: row.optionalText(3) ?? "")
    }
    let ofTables = objects.filter { new.contains($0.table) && !$0.sql.isEmpty }
    let triggers = ofTables.filter { $0.type == "trigger" }
    let named = Set(triggers.flatMap { SQLTokens.of($0.sql).map(\.name.foldedName) })
    for object in objects where object.type == "table" {
      let name = object.name.foldedName
      if new.contains(name) { try db.run(object.sql) }
      guard newVirtual.contains(name), named.contains(name) else { continue }
      // One that this SQLite can't make stays away, and so do its triggers.
      do { try db.run(object.sql) } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {}
    }
    // Other tables of the store may have indexes and triggers of these names.
    for index in ofTables where index.type == "index" { try db.run(Self.sql(index.sql, "INDEX", named: db.freeName(index.name))) }
    let made = try triggers.map { trigger in
      let name = try db.freeName(trigger.name)
      try db.run(Self.sql(trigger.sql, "TRIGGER", named: name))
      return name
    }
    let broken = try soundness.newlyBroken(in: db)
    for name in made where broken[name] != nil { try db.run("DROP TRIGGER main.\(name.quotedIdentifier)") }
  }

  /// A statement of a schema, which keeps it as `CREATE … INDEX name …`, with another name.
  private static func sql(_ sql: String, _ word: String, named name: String) -> String {
    let tokens = SQLTokens.of(sql)
    guard let place = tokens.firstIndex(where: { $0.isWord(word) }), tokens.indices.contains(place + 1) else { return sql }
    let old = tokens[place + 1].text
    return sql[..<old.startIndex] + name.quotedIdentifier + sql[old.endIndex...]
  }
}
