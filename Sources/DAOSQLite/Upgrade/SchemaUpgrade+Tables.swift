import DAOCriteria
import DAOSQL
import GRDB

extension SchemaUpgrade {
  var triggersOfNewTables: [SchemaObject] { seed.filter { $0.type == "trigger" && new.contains($0.table.foldedName) } }

  // MARK: Tables that are there

  /// Brings the parts of the seed's table that the base's lacks or has in another form.
  mutating func bring(newPartsOf table: SchemaObject) throws {
    let (old, mine) = (
      base.named("table", table.name), try SchemaObject.all(in: "main", db).filter { $0.name.foldedName == table.name.foldedName }
    )
    if shadows.contains(table.name.foldedName) {
      let reason = "the store has a table of this name, in which a virtual table keeps what it has"
      if old?.isSame(as: table) != true { note(.table, table, .left(reason: reason)) }
    } else if mine.contains(where: { $0.type == "view" }) {
      if old?.isSame(as: table) != true { note(.table, table, .left(reason: "the store has a view of this name")) }
    } else if !table.isVirtual {
      try addColumns(of: table)
    } else if old?.isSame(as: table) != true, !mine.contains(where: { $0.isSame(as: table) }) {
      note(.table, table, .left(reason: mine.isEmpty ? "the store has dropped it" : "a virtual table that is there stays as it is"))
    }
  }

  // MARK: New tables

  /// Makes the tables that only the new seed has, with their indexes and the virtual tables that their triggers fill, still empty.
  mutating func makeTables() throws {
    let named = triggersOfNewTables.reduce(into: Set<SchemaName>()) { $0.formUnion($1.names) }
    for table in seed where table.type == "table" && new.contains(table.name.foldedName) {
      if table.isVirtual && !named.contains(table.name.foldedName) { continue }
      let view = try SchemaObject.all(in: "main", db).named("view", table.name)
      // One that can't be made stays away, and so does what belongs to it: a virtual table that this SQLite does not know.
      let isMade = try attempt(.table, table) { try $0.make(table, inPlaceOf: view) }
      if !isMade { new.remove(table.name.foldedName) }
      if isMade, let view { note(.view, view, .dropped) }
    }
    // Other tables of the store may have indexes and triggers of these names.
    for index in seed where index.type == "index" && new.contains(index.table.foldedName) {
      try db.run(index.sql(named: db.freeName(index.name)))
    }
  }

  /// Makes a table, which may replace a view of the seed's own.
  private func make(_ table: SchemaObject, inPlaceOf view: SchemaObject?) throws {
    try freeOfIndexes(table.name)
    guard let view else {
      // A virtual table may have made the tables of its own.
      if try !db.hasTable(table.name) { try db.run(table.sql) }
      return
    }
    try expectNoOwnTriggers(on: view, SchemaObject.all(in: "main", db))
    try keepingOthersSound(view) {
      try db.run("DROP VIEW main.\(view.name.quotedIdentifier)")
      try db.run(table.sql)
    }
  }

  /// Gives an index of this name another one: it does its work under any, unless a view or a trigger of the user's names it with
  /// `INDEXED BY`.
  func freeOfIndexes(_ name: String) throws {
    guard let index = try SchemaObject.all(in: "main", db).named("index", name) else { return }
    let sql = try index.sql(named: db.freeName(name))
    // The base's views and triggers that name the index are gone from the seed or differ there, as the index does.
    let ofBase = try SchemaObject.all(in: "main", db).filter { object in
      ["view", "trigger"].contains(object.type) && base.contains { $0.isSame(as: object) }
    }
    try keepingSound(but: Set(ofBase.map(\.name.foldedName))) {
      try db.run("DROP INDEX main.\(index.name.quotedIdentifier)")
      try db.run(sql)
    }
  }

  // MARK: Search tables

  /// Makes the new search tables that no trigger fills, over the merged rows. Rows that a virtual table has of its own are not merged.
  mutating func makeSearchTables() throws {
    for table in seed where table.isVirtual && new.contains(table.name.foldedName) {
      guard try !db.hasTable(table.name) else { continue }
      try attempt(.table, table) {
        guard table.hasContentElsewhere else { throw Obstacle(reason: "it holds rows of its own, which are not merged") }
        try $0.makeSearchTable(table)
      }
    }
  }

  /// Makes a search table over a table that has rows.
  func makeSearchTable(_ table: SchemaObject) throws {
    try freeOfIndexes(table.name)
    try db.run(table.sql)
    try db.run("INSERT INTO main.\(table.name.quotedIdentifier) (\(table.name.quotedIdentifier)) VALUES ('rebuild')")
  }
}
