import DAOCriteria
import DAOSQL
import DAOSchema
import DAOWaiting
import GRDB

/// A migration under way: takes the steps of a plan, inside a transaction with foreign keys off.
struct MigrationRun {
  let db: Database
  let entities: [EntityDescription]
  let migration: Migration
  /// The store's, for messages.
  let path: String
  private(set) var steps: [Migration.Step] = []
  /// The number of rows of each rebuilt table.
  var rows: [String: Int] = [:]
  private let expected: Int
  private let keys: GeneratedKeys

  /// - Parameters:
  ///   - expected: how many steps there are, as far as that is known.
  ///   - keys: the start of the keys that custom steps generate.
  init(_ db: Database, _ entities: [EntityDescription], _ migration: Migration, path: String, expected: Int, keys: GeneratedKeys) {
    self.db = db
    self.entities = entities
    self.migration = migration
    self.path = path
    self.expected = expected
    self.keys = keys
  }

  private mutating func begin(_ step: Migration.Step) throws {
    // The step before may have made a search table.
    try db.trustSearchTriggers()
    steps.append(step)
    migration.progress?(
      Migration.Progress(step: step.description, number: steps.count, count: max(expected, steps.count)))
  }

  // MARK: Custom steps

  mutating func perform(_ script: Migration.Script) throws {
    let step = Migration.Step("", table: "", .script(script.name, version: script.version))
    try begin(step)
    let connection = try SQLiteConnection(db, outside: nil, keys: keys)
    connection.limits.watch = ConnectionLimits.watchOfThread
    // Statements go before the connection that they belong to.
    defer { connection.statements.removeAll() }
    let session = ConnectionSession(connection, .write, isOnItsThread: ThreadMarker.currentThreadTest())
    defer { session.close() }
    try script.run(EngineStore(session: session))
    // A rule of the schema, or a full disk, takes all back, and a step may go on all the same.
    guard db.isInsideTransaction else { throw problem(step, "a statement of it has rolled everything back", hints: []) }
  }

  // MARK: The plan's

  /// Takes the steps that take nothing away: new names, new tables and columns. Those that are to need a value may be null for now.
  mutating func expand(_ plan: [Migration.Step]) throws {
    try dropSearchTables(plan)
    for step in plan { if case .renameTable(let old) = step.change { try rename(step, old) } }
    for step in plan { if case .renameColumn(let old, let new) = step.change { try rename(step, old, new) } }
    for step in plan { if case .createTable = step.change { try create(step) } }
    for step in plan where step.isAddition { try add(step, isOptional: needsRebuild(step)) }
  }

  /// Takes the steps: names first, so that everything after has the new ones; each table is rebuilt at most once.
  mutating func perform(_ plan: [Migration.Step]) throws {
    try dropSearchTables(plan)
    for step in plan { if case .renameTable(let old) = step.change { try rename(step, old) } }
    for step in plan { if case .dropTable = step.change { try run(step, "DROP TABLE \(step.table.quotedIdentifier)") } }
    for step in plan { if case .renameColumn(let old, let new) = step.change { try rename(step, old, new) } }
    for step in plan { if case .createTable = step.change { try create(step) } }
    for step in plan { if case .dropIndex(let name) = step.change { try run(step, "DROP INDEX \(name.quotedIdentifier)") } }
    var tables: [String] = []
    for step in plan where step.needsRebuild || step.isAddition {
      if !tables.contains(where: { SchemaName.same($0, step.table) }) { tables.append(step.table) }
    }
    for table in tables {
      let changes = plan.filter { SchemaName.same($0.table, table) && ($0.needsRebuild || $0.isAddition) }
      if try changes.contains(where: needsRebuild) {
        for change in changes { try begin(change) }
        try rebuild(table, changes)
      } else {
        for step in changes { try add(step) }
      }
    }
    for step in plan { if case .createIndex(let columns, let isUnique) = step.change { try createIndex(step, columns, isUnique) } }
    for step in plan {
      switch step.change {
      case .makeSearchTable: try makeSearchTable(step)
      case .dropSearchTable: try begin(step)
      case .makeView: try makeView(step)
      default: break
      }
    }
  }

  func entity(of step: Migration.Step) throws -> EntityDescription {
    guard let entity = entities.first(where: { $0.name == step.entity }) else { throw problem(step, "no entity has the table") }
    return entity
  }

  func problem(_ step: Migration.Step, _ message: String, hints: [String] = ["steps: [.before(version, \"…\") { store in … }]"])
    -> DAOError
  {
    let problem = DAOError.MigrationProblem(entity: step.entity, element: step.element, message: "\(step): \(message)", hints: hints)
    return .migration(store: path, problems: [problem])
  }

  /// Runs a step's statement; what SQLite has against it is the migration's problem.
  private mutating func run(_ step: Migration.Step, _ sql: String) throws {
    try begin(step)
    try execute(step, sql)
  }

  func execute(_ step: Migration.Step, _ sql: String, _ values: [StoredValue] = []) throws {
    do { try db.run(sql, values) } catch let error as DatabaseError where [.SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(error.resultCode) {
      throw problem(step, error.message ?? "\(error.resultCode)")
    }
  }

  private mutating func rename(_ step: Migration.Step, _ old: String) throws {
    // A virtual table names the one that has its content in words of its own, which SQLite can't follow.
    let virtual = try db.bareRows("SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0") {
      ($0.text(0), $0.text(1))
    }
    let reader = virtual.first { _, sql in
      let tokens = SQLTokens.of(sql)
      return tokens.indices.dropLast(2).contains {
        tokens[$0].isWord("content") && tokens[$0 + 1].isSign("=") && SchemaName.same(tokens[$0 + 2].name, old)
      }
    }?.0
    if let reader {
      throw problem(step, "the virtual table \(reader) reads it under its old name")
    }
    try run(step, "ALTER TABLE \(old.quotedIdentifier) RENAME TO \(step.table.quotedIdentifier)")
  }

  private mutating func rename(_ step: Migration.Step, _ old: String, _ new: String) throws {
    try run(
      step, "ALTER TABLE \(step.table.quotedIdentifier) RENAME COLUMN \(old.quotedIdentifier) TO \(new.quotedIdentifier)")
  }

  private mutating func create(_ step: Migration.Step) throws {
    try begin(step)
    // A table that was renamed has kept its indexes, under the names that the new one's would have.
    for statement in try SchemaSQL.statements(for: [entity(of: step)], naming: db.freeName) { try execute(step, statement) }
  }

  /// `ALTER TABLE … ADD`, where SQLite allows it.
  private mutating func add(_ step: Migration.Step, isOptional: Bool = false) throws {
    try begin(step)
    var definition = try definition(of: step.table, step)
    try definition.apply(step.change, for: try entity(of: step))
    if case .addColumn(let name) = step.change, isOptional {
      try definition.apply(.changeNullability(name, isNotNull: false), for: try entity(of: step))
    }
    guard let column = definition.lastColumn else { return }
    try execute(step, "ALTER TABLE \(step.table.quotedIdentifier) ADD COLUMN \(column)")
    if isOptional { try fill(step) }
  }

  /// Puts a hint's value into a new column.
  private func fill(_ step: Migration.Step) throws {
    let entity = try entity(of: step)
    guard case .addColumn(let name) = step.change, let attribute = entity.attribute(in: name),
      let filling = migration.filling(entity.name, attribute.name)
    else { return }
    let value = try attribute.type.stored(filling)
    try db.withoutTriggers(of: [step.table]) {
      try execute(step, "UPDATE \(step.table.quotedIdentifier) SET \(name.quotedIdentifier) = ?", [value])
    }
  }

  /// The table's `CREATE TABLE` in its parts.
  func definition(of table: String, _ step: Migration.Step) throws -> CreateTable {
    let sql = try String.fetchOne(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [table])
    guard let sql, let definition = CreateTable(sql) else { throw problem(step, "the table's definition can't be read") }
    return definition
  }

  private mutating func createIndex(_ step: Migration.Step, _ columns: [String], _ isUnique: Bool) throws {
    try begin(step)
    let entity = try entity(of: step)
    let index = (entity.indexes + entity.relationshipIndexes).first {
      $0.isUnique == isUnique && $0.attributes.compactMap { entity[$0]?.column } == columns
    }
    guard let index else { return }
    if isUnique, let found = try repeated(columns, of: step.table) {
      throw problem(step, found, hints: ["steps: [.before(version, \"…\") { store in … }], which tells the rows apart"])
    }
    try execute(step, SchemaSQL.index(index, of: entity, named: db.freeName(SchemaSQL.name(of: index, of: entity))))
  }

  /// The values that several rows have; nil where all are different. Null is like no other.
  private func repeated(_ columns: [String], of table: String) throws -> String? {
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    let isNotNull = columns.map { "\($0.quotedIdentifier) IS NOT NULL" }.joined(separator: " AND ")
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT \(list), count(*) FROM \(table.quotedIdentifier) WHERE \(isNotNull) GROUP BY \(list) HAVING count(*) > 1 LIMIT 4")
    if rows.isEmpty { return nil }
    let shown = rows.prefix(3).map { row in
      let values = row.databaseValues.map(\.stored)
      return values.dropLast().map(\.description).joined(separator: ", ") + " in \(values.last?.description ?? "several") rows"
    }
    return shown.joined(separator: "; ") + (rows.count > 3 ? "; and others" : "")
  }

  // MARK: Search tables and views

  /// Search tables that are created again or are not needed any more, under the names that their tables still have.
  private func dropSearchTables(_ plan: [Migration.Step]) throws {
    for step in plan {
      switch step.change {
      case .makeSearchTable, .dropSearchTable, .dropTable:
        let old = plan.lazy.compactMap { other -> String? in
          if case .renameTable(let old) = other.change, other.table == step.table { old } else { nil }
        }.first
        let schema = try StoreSchema(reading: db) { _ in false }
        guard let table = schema[old ?? step.table], let search = table.search, search.isOwn else { continue }
        let name = EntityDescription.searchTable(of: table.name)
        for trigger in SearchSQL.triggerNames(of: table.name) { try db.run("DROP TRIGGER IF EXISTS \(trigger.quotedIdentifier)") }
        try db.run("DROP TABLE \(name.quotedIdentifier)")
      default: break
      }
    }
  }

  private mutating func makeSearchTable(_ step: Migration.Step) throws {
    try begin(step)
    let entity = try entity(of: step)
    for statement in SearchSQL.statements(for: entity) { try execute(step, statement) }
    try execute(step, SearchSQL.rebuild(entity.table))
  }

  private mutating func makeView(_ step: Migration.Step) throws {
    guard let sql = SchemaSQL.view(try entity(of: step)) else { return }
    // Its triggers go with it.
    let triggers = try String.fetchAll(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY rowid",
      arguments: [step.table])
    try run(step, "DROP VIEW IF EXISTS \(step.table.quotedIdentifier)")
    for statement in [sql] + triggers { try execute(step, statement) }
  }
}

extension Migration.Step {
  /// Whether it adds a column.
  var isAddition: Bool { if case .addColumn = change { true } else { false } }
}
