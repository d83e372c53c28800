import DAOCriteria
import DAOSQL
import GRDB

/// Brings new and different parts of the new seed's schema into the store, and reports the parts that it does not bring.
///
/// Three sides as with rows: what the store has as the base follows the seed; what the store has otherwise, or has dropped, stays as it is.
/// Tables and columns that the new seed lacks stay.
struct SchemaUpgrade {
  typealias Change = SeedUpgradeReport.SchemaChange

  let db: Database
  let base: [SchemaObject]
  let seed: [SchemaObject]
  /// The tables and virtual tables that only the new seed has, and that have a place in the store. One that the base has too is one that
  /// the store has dropped, and stays away.
  var new: Set<SchemaName>
  /// Tables in which a virtual table of the store keeps its data.
  let shadows: Set<SchemaName>
  /// Unique indexes that the rows do not fit before they are merged.
  private var postponed: [SchemaObject] = []
  /// Views that can't be brought before the triggers are, and triggers of new tables.
  private var left: [SchemaObject] = []
  var changes: [Change] = []

  /// Reads the store and the attached seeds.
  init(in db: Database) throws {
    self.db = db
    base = try SchemaObject.all(in: MergeSide.base.rawValue, db)
    seed = try SchemaObject.all(in: MergeSide.seed.rawValue, db)
    let now = try SchemaObject.all(in: "main", db)
    let base = base
    shadows = try Set(SchemaCatalog(of: db).entries.filter { $0.kind == .shadow }.map(\.name.foldedName))
    // Triggers have names of their own, an index gives its name away, and a view of the base's goes.
    let ownViews = now.filter { view in view.type == "view" && !base.contains { $0.isSame(as: view) } }
    let taken = (now + base).filter { $0.type == "table" } + ownViews
    new = Set(seed.filter { $0.type == "table" }.map(\.name.foldedName)).subtracting(taken.map(\.name.foldedName)).subtracting(shadows)
  }

  /// Brings what rows need: tables, columns and indexes; and views.
  mutating func begin() throws {
    for table in seed where table.type == "table" && !new.contains(table.name.foldedName) { try bring(newPartsOf: table) }
    try makeTables()
    for index in try changed("index") { try bring(index) }
    left = try bringInAnyOrder(changed("view") + triggersOfNewTables, isLast: false)
  }

  /// Whether the store has all indexes and views that it can have.
  var isComplete: Bool { postponed.isEmpty && left.isEmpty }

  /// Brings what the merged rows may fit, and the triggers, which have not fired for them.
  mutating func end() throws {
    for index in postponed { try bring(index, isLast: true) }
    postponed = []
    left = try bringInAnyOrder(left + changed("trigger"), isLast: true)
    try makeSearchTables()
  }

  /// Brings objects that may need each other, whatever the order in which the seed has them.
  /// - Parameter isLast: whether what can't be brought is reported.
  /// - Returns: what can't be.
  private mutating func bringInAnyOrder(_ objects: [SchemaObject], isLast: Bool) throws -> [SchemaObject] {
    var left = objects
    while true {
      let (before, count) = (changes, left.count)
      var notes: [Change] = []
      left = try left.filter { object in
        changes = []
        if object.type == "trigger" && new.contains(object.table.foldedName) { try make(object) } else { try bring(object) }
        notes += changes
        return changes.contains(where: \.isLeft)
      }
      if left.isEmpty || left.count == count {
        changes = before + (isLast ? notes : notes.filter { !$0.isLeft })
        return left
      }
      // Those that are left are tried again.
      changes = before + notes.filter { !$0.isLeft }
    }
  }

  // MARK: What changed

  /// Returns the seed's new or changed objects of a type, on what the store has, and the objects that the seed no longer has.
  private mutating func changed(_ type: String) throws -> [SchemaObject] {
    let dropped = base.filter { $0.type == type && seed.named(type, $0.name) == nil }
    let added = seed.filter { object in
      object.type == type && base.named(type, object.name)?.isSame(as: object) != true && !new.contains(object.table.foldedName)
    }
    // Removed objects make room for new ones. A view that gives its name to a table has been removed already, or stays.
    guard type != "view" else { return dropped.filter { seed.named("table", $0.name) == nil } + added }
    let now = try SchemaObject.all(in: "main", db)
    // A view may yet come.
    let hasHome = { [seed] (object: SchemaObject) in seed.named("view", object.table) != nil || now.named("table", object.table) != nil }
    for object in added where !hasHome(object) {
      if let kind = Change.Kind(rawValue: type) { note(kind, object, .left(reason: "the store does not have the table \(object.table)")) }
    }
    // A table that the seed lacks stays with all it has.
    let isOfSeed = { [seed] (object: SchemaObject) in ["table", "view"].contains { seed.named($0, object.table) != nil } }
    return dropped.filter(isOfSeed) + added.filter(hasHome)
  }

  private mutating func bring(_ object: SchemaObject, isLast: Bool = false) throws {
    let now = try SchemaObject.all(in: "main", db)
    let old = base.named(object.type, object.name)
    guard let kind = Change.Kind(rawValue: object.type) else { return }
    let untouched = old.flatMap { old in now.first { $0.isSame(as: old) && $0.isNamed(after: old) } }
    let namesake = now.named(object.type, object.name).flatMap { $0.table.foldedName == object.table.foldedName ? $0 : nil }
    guard seed.named(object.type, object.name) != nil else {
      guard let untouched else { return }
      try attempt(kind, object, .dropped) { try $0.drop(untouched, now) }
      return
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

  private func drop(_ object: SchemaObject, _ now: [SchemaObject]) throws {
    let drop = "DROP \(object.type.uppercased()) main.\(object.name.quotedIdentifier)"
    guard object.type == "view" else { return try db.run(drop) }
    try expectNoOwnTriggers(on: object, now)
    try keepingOthersSound(object) { try db.run(drop) }
  }

  /// Triggers of the user's would go with a view.
  func expectNoOwnTriggers(on view: SchemaObject, _ now: [SchemaObject]) throws {
    let own = now.first { trigger in
      trigger.type == "trigger" && trigger.table.foldedName == view.name.foldedName && !base.contains { $0.isSame(as: trigger) }
    }
    if let own { throw Obstacle(reason: "the store has the trigger \(own.name) of its own on it") }
  }

  /// Does something to a view, unless another view or a trigger of the store's would not work any more.
  func keepingOthersSound(_ view: SchemaObject, _ body: () throws -> Void) throws {
    try keepingSound(but: [view.name.foldedName], body)
  }

  /// Does something, unless a view or a trigger of the store's would not work any more.
  /// - Parameter names: those of which that does not matter.
  func keepingSound(but names: Set<SchemaName>, _ body: () throws -> Void) throws {
    let before = try MigrationSoundness(of: db, mayBreakKeys: false)
    try body()
    let broken = try before.newlyBroken(in: db).filter { !names.contains($0.key.foldedName) }
    if let (name, reason) = broken.min(by: { $0.key < $1.key }) { throw Obstacle(reason: "\(name) would not work any more: \(reason)") }
  }

  private func make(_ object: SchemaObject, replacing old: SchemaObject?, _ now: [SchemaObject]) throws {
    if let old, object.type == "view" { return try keepingOthersSound(object) { try makeAnew(object, replacing: old, now) } }
    try makeAnew(object, replacing: old, now)
  }

  private func makeAnew(_ object: SchemaObject, replacing old: SchemaObject?, _ now: [SchemaObject]) throws {
    if let old { try db.run("DROP \(old.type.uppercased()) main.\(old.name.quotedIdentifier)") }
    switch object.type {
    case "trigger": try makeTrigger(object)
    case "view":
      try freeOfIndexes(object.name)
      guard try !db.hasTable(object.name) else { throw Obstacle(reason: "the store has something else of this name") }
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

  mutating func make(_ trigger: SchemaObject) throws {
    try attempt(.trigger, trigger) { try $0.makeTrigger(trigger) }
  }

  /// Makes a trigger, and the virtual table that it fills. One that can't work would stop each write of its table's.
  private func makeTrigger(_ trigger: SchemaObject) throws {
    let names = trigger.names
    for table in seed where table.isVirtual && names.contains(table.name.foldedName) {
      guard try !db.hasTable(table.name) else { continue }
      guard new.contains(table.name.foldedName) else { throw Obstacle(reason: "the store has dropped \(table.name)") }
      guard table.hasContentElsewhere else { throw Obstacle(reason: "\(table.name) holds rows of its own, which are not merged") }
      try makeSearchTable(table)
    }
    try db.trustSearchTriggers()
    let wasBroken = try db.failure(ofTriggersOf: trigger.table) != nil
    try db.run(trigger.sql(named: db.freeName(trigger.name)))
    try db.trustSearchTriggers()
    if !wasBroken, let failure = try db.failure(ofTriggersOf: trigger.table) { throw Obstacle(reason: failure) }
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

extension SeedUpgradeReport.SchemaChange {
  fileprivate var isLeft: Bool { if case .left = outcome { true } else { false } }
}
