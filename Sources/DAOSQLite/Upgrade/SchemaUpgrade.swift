import DAOCriteria
import DAOSQL
import GRDB

/// Brings what is new or another in the new seed's schema into the store, and reports what it does not bring.
///
/// Three sides as with rows: what the store has as the base follows the seed; what the store has otherwise, or has dropped, stays so.
/// Tables and columns that the new seed lacks stay.
struct SchemaUpgrade {
  typealias Change = SeedUpgradeReport.SchemaChange

  let db: Database
  let base: [SchemaObject]
  let seed: [SchemaObject]
  /// The tables and virtual tables that only the new seed has. One that the base has too is one that the store has dropped, and stays away.
  let new: Set<SchemaName>
  /// Unique indexes that the rows do not fit before they are merged.
  private var postponed: [SchemaObject] = []
  var changes: [Change] = []

  /// Reads the store and the attached seeds.
  init(in db: Database) throws {
    self.db = db
    base = try SchemaObject.all(in: MergeSide.base.rawValue, db)
    seed = try SchemaObject.all(in: MergeSide.seed.rawValue, db)
    let taken = try Set((SchemaObject.all(in: "main", db) + base).map(\.name.foldedName))
    new = Set(seed.filter { $0.type == "table" && !taken.contains($0.name.foldedName) }.map(\.name.foldedName))
  }

  /// Brings what rows need: tables, columns and indexes; and views.
  mutating func begin() throws {
    for table in seed where table.type == "table" && !new.contains(table.name.foldedName) { try addColumns(of: table) }
    try makeTables()
    for index in try changed("index") { try bring(index) }
    for view in try changed("view") { try bring(view) }
  }

  /// Whether the store has all indexes that it can have.
  var isComplete: Bool { postponed.isEmpty }

  /// Brings what the merged rows may fit, and the triggers, which have not fired for them.
  mutating func end() throws {
    for index in postponed { try bring(index, isLast: true) }
    postponed = []
    for trigger in try changed("trigger") { try bring(trigger) }
  }

  // MARK: New tables

  /// Makes the tables that only the new seed has, with their indexes, their triggers and the virtual tables that these fill, still empty.
  private mutating func makeTables() throws {
    let triggers = seed.filter { $0.type == "trigger" && new.contains($0.table.foldedName) }
    let named = triggers.reduce(into: Set<SchemaName>()) { $0.formUnion($1.names) }
    for table in seed where table.type == "table" && new.contains(table.name.foldedName) {
      if table.isVirtual {
        // One that this SQLite can't make stays away, and so do its triggers.
        if named.contains(table.name.foldedName) { try attempt(.table, table) { try $0.db.run(table.sql) } }
      } else if try !db.has(table.name) {
        // A virtual table may have made the tables of its own.
        try db.run(table.sql)
        note(.table, table, .added)
      }
    }
    // Other tables of the store may have indexes and triggers of these names.
    for index in seed where index.type == "index" && new.contains(index.table.foldedName) {
      try db.run(index.sql(named: db.freeName(index.name)))
    }
    for trigger in triggers { try make(trigger) }
  }

  // MARK: What changed

  /// What the seed has of a type that the base has not so, on what the store has; and what it has no more.
  private func changed(_ type: String) throws -> [SchemaObject] {
    let there = try Set(SchemaObject.all(in: "main", db).filter { ["table", "view"].contains($0.type) }.map(\.name.foldedName))
    let dropped = base.filter { $0.type == type && seed.named(type, $0.name) == nil }
    let added = seed.filter { object in
      object.type == type && base.named(type, object.name)?.isSame(as: object) != true
        && (type == "view" || there.contains(object.table.foldedName)) && !new.contains(object.table.foldedName)
    }
    // What goes makes room for what comes.
    return dropped + added
  }

  private mutating func bring(_ object: SchemaObject, isLast: Bool = false) throws {
    let now = try SchemaObject.all(in: "main", db)
    let old = base.named(object.type, object.name)
    guard let kind = Change.Kind(rawValue: object.type) else { return }
    let untouched = old.flatMap { old in now.first { $0.isSame(as: old) && $0.isNamed(after: old) } }
    let namesake = now.named(object.type, object.name).flatMap { $0.table.foldedName == object.table.foldedName ? $0 : nil }
    guard seed.named(object.type, object.name) != nil else {
      guard let untouched else { return }
      try db.run("DROP \(object.type.uppercased()) main.\(untouched.name.quotedIdentifier)")
      return note(kind, object, .dropped)
    }
    if now.contains(where: { $0.isSame(as: object) && (kind != .view || $0.name.foldedName == object.name.foldedName) }) { return }
    if untouched == nil, namesake == nil, old != nil { return note(kind, object, .left(reason: "the store has dropped it")) }
    // An index of the user's own is in nobody's way.
    if untouched == nil, namesake != nil, old != nil || kind != .index {
      return note(kind, object, .left(reason: "the store has another \(object.type) of this name"))
    }
    do {
      try attempt(kind, object, untouched == nil ? .added : .replaced) { try $0.make(object, replacing: untouched, now) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      if isLast { note(kind, object, .left(reason: error.message ?? "the rows do not fit")) } else { postponed.append(object) }
    }
  }

  private func make(_ object: SchemaObject, replacing old: SchemaObject?, _ now: [SchemaObject]) throws {
    if let old { try db.run("DROP \(old.type.uppercased()) main.\(old.name.quotedIdentifier)") }
    switch object.type {
    case "trigger": try makeTrigger(object)
    case "view":
      guard try !db.has(object.name) else { throw Obstacle(reason: "the store has something else of this name") }
      try db.run(object.sql)
      // They went with the view.
      for trigger in now where old != nil && trigger.type == "trigger" && trigger.table.foldedName == object.table.foldedName {
        try db.run(trigger.sql)
      }
      var expansion = try SchemaCatalog(of: db).viewExpansion()
      let query = "SELECT * FROM main.\(object.name.quotedIdentifier)"
      if let failure = try expansion.problem(of: object.name) ?? db.failure(of: [query]) {
        throw Obstacle(reason: failure)
      }
    default: try db.run(object.sql(named: db.freeName(object.name)))
    }
  }

  // MARK: Triggers

  private mutating func make(_ trigger: SchemaObject) throws {
    try attempt(.trigger, trigger) { try $0.makeTrigger(trigger) }
  }

  /// Makes a trigger, and the virtual table that it fills. One that can't work would stop each write of its table's.
  private func makeTrigger(_ trigger: SchemaObject) throws {
    let names = trigger.names
    for table in seed where table.isVirtual && names.contains(table.name.foldedName) {
      guard try !db.has(table.name) else { continue }
      guard new.contains(table.name.foldedName) else { throw Obstacle(reason: "the store has dropped \(table.name)") }
      guard table.hasContentElsewhere else { throw Obstacle(reason: "\(table.name) holds rows of its own, which are not merged") }
      try db.run(table.sql)
      try db.run("INSERT INTO main.\(table.name.quotedIdentifier) (\(table.name.quotedIdentifier)) VALUES ('rebuild')")
    }
    let causes = try db.statements(firingTriggersOf: trigger.table)
    try db.trustSearchTriggers()
    let wasBroken = try db.failure(of: causes) != nil
    try db.run(trigger.sql(named: db.freeName(trigger.name)))
    try db.trustSearchTriggers()
    if !wasBroken, let failure = try db.failure(of: causes) { throw Obstacle(reason: failure) }
  }

  // MARK: Attempts

  /// Why a part of a schema is not brought.
  struct Obstacle: Error {
    let reason: String
  }

  /// Does something, or nothing where it can't be done.
  /// - Returns: whether it was done.
  @discardableResult
  mutating func attempt(
    _ kind: Change.Kind, _ object: SchemaObject, _ outcome: Change.Outcome = .added, _ body: (SchemaUpgrade) throws -> Void
  ) throws -> Bool {
    try db.run("SAVEPOINT dao_attempt")
    do {
      try body(self)
      try db.run("RELEASE dao_attempt")
      note(kind, object, outcome)
      return true
    } catch {
      try db.run("ROLLBACK TO dao_attempt")
      try db.run("RELEASE dao_attempt")
      switch error {
      case let obstacle as Obstacle: note(kind, object, .left(reason: obstacle.reason))
      case let error as DatabaseError where error.resultCode == .SQLITE_ERROR: note(kind, object, .left(reason: error.message ?? ""))
      default: throw error
      }
      return false
    }
  }

  mutating func note(_ kind: Change.Kind, _ object: SchemaObject, _ outcome: Change.Outcome) {
    changes.append(Change(kind: kind, name: object.name, table: object.table, outcome: outcome))
  }
}
