import DAOCriteria
import DAOSQL
import DAOSchema
import DAOWaiting
import GRDB

/// A unit of work over a SQLite store: its edits, and the connection that shows the store with them.
///
/// Threads take turns. Between two calls it has no transaction open and holds no lock. The edits are kept here and shown by the connection:
/// where the store has closed that, the next call opens another.
final class SQLiteUnit: ConnectionSource, @unchecked Sendable {
  let engine: SQLiteEngine
  /// The unit into which this one commits; nil where that is the store.
  let parent: SQLiteUnit?
  /// Numbers of edits and keys of new rows, for the unit and its children.
  let numbers: EditNumbers
  /// The line of those who want to use it. Whoever has its one place may access the state below.
  let line: CallLine
  /// The edits, those of the parent among them.
  let edits = EditList()
  /// What the unit has read, as it was then.
  var reads = ReadRows()
  /// The parent's edits, as this unit has them; empty for a unit of the store.
  var inherited: [EditID: EditedRow] = [:]
  var inheritedRevision = -1
  /// How often the unit was committed or rolled back; and the parent, when this unit inherited from it.
  var (generation, inheritedGeneration) = (0, 0)
  /// The state of the store before the first edit; nil where it is not known.
  private(set) var editedState: UnitConnection.State?
  /// The new rows whose keys are the unit's own.
  var newKeys: Set<EditID> = []
  // The entities of its DAOs; and those of other tables, by the schema.
  private var (entities, tableEntities): ([SchemaName: EntityDescription], [SchemaName: EntityDescription]) = ([:], [:])
  private(set) var connection: UnitConnection?
  private var shadows: [Int: ShadowedTable] = [:]
  private(set) var schema: (version: Int64, schema: StoreSchema)?
  /// The schema of the store for which the connection shows tables and views.
  private var shownSchema: SchemaMark?

  init(_ engine: SQLiteEngine, parent: SQLiteUnit? = nil) {
    self.engine = engine
    self.parent = parent
    numbers = parent?.numbers ?? EditNumbers()
    line = CallLine(places: 1, "the unit of work", stallTimeout: engine.configuration.stallTimeout)
  }

  // MARK: Turns

  /// Runs a body in the unit's turn, without its connection.
  func alone<Result>(_ activity: ConnectionHolder.Activity, _ body: () throws -> Result) throws -> Result {
    // Who is inside may have what another thread needs that is in the unit's turn.
    if ThreadMarker.isInside(engine) || family.contains(where: { ThreadMarker.isInside($0) }) { throw DAOError.unitInClosure }
    return try line.run(activity, by: engine.waitLimit) { try ThreadMarker.entering(self, body) }
  }

  private var family: [SQLiteUnit] { [self] + (parent?.family ?? []) }

  /// Runs a body in the unit's turn, with a connection that shows the edits.
  func turn<Result>(_ activity: ConnectionHolder.Activity, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try alone(activity) { try connected(body) }
  }

  /// Runs a body with a connection that shows the edits; in the unit's turn.
  func connected<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if connection?.isOver == true { disconnect() }
    // Before this thread has the connection: the parent's turn may take time.
    let inheritance = try parent?.inheritance(after: inheritedRevision)
    if let shownSchema, let connection, try connection.run({ try connection.schemaMark(on: $0) }) != shownSchema { disconnect() }
    let connection = try self.connection ?? UnitConnection(of: engine, numbers)
    self.connection = connection
    return try connection.run { sqlite in
      try show(on: sqlite)
      if let inheritance { try inherit(inheritance, on: sqlite) }
      return try body(sqlite)
    }
  }

  /// Closes the connection; the next call opens another.
  func disconnect() {
    connection = nil
    editedState = nil
    shadows = [:]
    shownSchema = nil
    schema = nil
  }

  /// Has the commit compare each row with the store.
  func forgetState() {
    editedState = nil
    if parent != nil { inheritedRevision = -1 }
  }

  /// Whether the unit answers as the store does.
  private var isBlank: Bool { edits.rows.isEmpty && parent == nil }

  // MARK: As a source of connections

  func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) { return try joined().read(snapshot: snapshot, body) }
    return try alone(.statement) {
      if isBlank { return try engine.read(snapshot: snapshot, body) }
      return try connected { connection in snapshot ? try connection.transaction(.read) { try body(connection) } : try body(connection) }
    }
  }

  func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) { return try joined().write(atomic: atomic, body) }
    return try step(named: nil) { connection in try body(connection) }
  }

  func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) { return try joined().withSession(mode, body) }
    return try session(mode) { session in try ThreadMarker.entering(self, session: session, body) }
  }

  /// Runs a body over a session of its own, or in the one that the thread has.
  func session<Result>(_ mode: SessionMode, named name: String? = nil, _ body: (UnitSession) throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) {
      let session = try joined()
      return try session.withSession(mode) { try body(session) }
    }
    func run(_ connection: SQLiteConnection) throws -> Result {
      let session = UnitSession(self, connection, mode)
      defer { session.close() }
      return try body(session)
    }
    if mode == .write { return try step(named: name, run) }
    return try turn(.readSession) { connection in try connection.transaction(.read) { try run(connection) } }
  }

  private func joined() throws -> UnitSession {
    guard let session = ThreadMarker.session(of: self) as? UnitSession else { throw DAOError.plainDAOInClosure }
    return session
  }

  // MARK: Edits

  /// Runs a body whose edits are one step.
  func step<Result>(named name: String?, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try turn(.writeSession) { connection in
      if edits.rows.isEmpty, parent == nil { editedState = try self.connection?.state(on: connection) }
      let result = try editing { try connection.transaction(.read) { try settling(connection) { try body(connection) } } }
      edits.endStep(named: name)
      return result
    }
  }

  /// Runs a body in a transaction or savepoint that it makes, and takes its edits back where it throws.
  func editing<Result>(_ body: () throws -> Result) throws -> Result {
    let (mark, shadowed) = (edits.mark, Set(shadows.keys))
    do { return try body() } catch {
      edits.rollBack(to: mark)
      shadows = shadows.filter { shadowed.contains($0.key) }
      _ = connection?.touched.take()
      throw error
    }
  }

  /// Runs a body and takes in what its statements have edited, with the cascades of that.
  func settling<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
    let result = try body()
    try settle(on: connection)
    return result
  }

  /// Takes in what statements have edited, with the cascades of that.
  func settle(on connection: SQLiteConnection) throws {
    guard let touched = self.connection?.touched else { return }
    while true {
      let ids = touched.take()
      if ids.isEmpty { return }
      var lost: [(table: Int, before: [StoredValue], after: [StoredValue]?)] = []
      for id in ids {
        let known = edits[id]
        let row = try shown(id, on: connection)
        if row == nil { try remove(id, on: connection) }
        if let before = known.map({ $0.mine }) ?? row?.base, before != row?.mine { lost.append((id.table, before, row?.mine)) }
        edits.set(id, row)
      }
      try cascade(lost, on: connection)
    }
  }

  /// How many edits statements have made since they were last taken in.
  var touchedCount: Int { connection?.touched.count ?? 0 }

  /// Notes an edit that no trigger has.
  func touch(_ id: EditID) { connection?.touched.note(id) }

  /// An edited row as the connection shows it; nil where it was new and is deleted.
  private func shown(_ id: EditID, on connection: SQLiteConnection) throws -> EditedRow? {
    guard let shadow = shadows[id.table] else { return nil }
    let count = shadow.table.columns.count
    let isProvisional = edits[id]?.hasProvisionalKey ?? newKeys.contains(id)
    return try connection.keptRows(shadow.find, [.integer(id.number)]) { row -> EditedRow? in
      switch row.integer(0) {
      case 0: EditedRow(base: nil, mine: row.values(from: 1 + count, count: count), hasProvisionalKey: isProvisional)
      case 1: EditedRow(base: row.values(from: 1, count: count), mine: row.values(from: 1 + count, count: count))
      case 2: EditedRow(base: row.values(from: 1, count: count), mine: nil)
      default: nil
      }
    }.first ?? nil
  }

  /// Shows an edited row as it is to be; nil for one that is edited no more.
  func put(_ row: EditedRow?, as id: EditID, on connection: SQLiteConnection) throws {
    let shadow = try shadow(edits.tables[id.table].name, on: connection)
    try remove(id, on: connection)
    guard let row else { return }
    let table = shadow.table
    guard let known = row.base ?? row.mine else { return }
    let columns = row.mine ?? known
    let base = row.base ?? table.columns.map { _ in .null }
    let state: Int64 = row.base == nil ? 0 : row.mine == nil ? 2 : 1
    let values: [StoredValue] =
      [.integer(id.number), .integer(state)] + table.key(of: known) + base
      + table.columns.indices.filter { !table.computed.contains($0) }.map { columns[$0] }
    try connection.runKept(shadow.put, values)
  }

  private func remove(_ id: EditID, on connection: SQLiteConnection) throws {
    guard let shadow = shadows[id.table] else { return }
    try connection.runKept(shadow.remove, [.integer(id.number)])
  }

  // MARK: Shadows

  /// Has the connection show a table with edits, inside a transaction.
  @discardableResult
  func shadow(_ name: String, _ entity: EntityDescription? = nil, on connection: SQLiteConnection) throws -> ShadowedTable {
    let isNews = entity.map { entities[SchemaName($0.table)] !== $0 } ?? false
    if let entity { entities[SchemaName(entity.table)] = entity }
    let known = edits.number(of: SchemaName(name)).flatMap { shadows[$0] }
    if let known, !isNews { return known }
    let schema = try currentSchema(on: connection)
    guard let table = schema[name], !table.isView else { throw DAOError.unsupported("the table \(name), which the store has not") }
    let edited = try EditedTable(table, in: schema, entities)
    let number = edits.add(edited)
    // Its relationships may be known only now.
    if let known { return known }
    if tableEntities[SchemaName(table.name)] == nil { tableEntities[SchemaName(table.name)] = schema.description(of: table.name) }
    let shadow = try connection.onQueue { database in
      let sql = try database.bareRows(
        "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", binding: [.text(table.name)]
      ) { $0.text(0) }
      let shadow = ShadowedTable(edited, number: number, table, sql: sql.first ?? "")
      for statement in shadow.statements { try database.run(statement) }
      try Self.shadowViews(over: table.name, in: database)
      return shadow
    }
    shadows[number] = shadow
    if shownSchema == nil { shownSchema = try self.connection?.schemaMark(on: connection) }
    return shadow
  }

  /// Has views of the store read what the unit shows of a table: those of the store itself read the store.
  private static func shadowViews(over table: String, in database: Database) throws {
    let views = try database.bareRows(
      """
      SELECT name, sql FROM main.sqlite_schema WHERE type = 'view' AND sql LIKE 'CREATE VIEW%' \
      AND name NOT IN (SELECT name FROM temp.sqlite_schema WHERE type = 'view')
      """
    ) { (name: $0.text(0), sql: $0.text(1)) }
    var (changed, left) = ([table], views)
    while let name = changed.popLast() {
      let reading = left.partition { view in SQLTokens.of(view.sql).contains { SchemaName.same($0.name, name) } }
      // A view of the file may call no function of the library's; a temporary one might.
      for view in left[reading...] where !ShadowedTable.namesOwnFunction(view.sql) {
        try database.run("CREATE TEMP VIEW" + view.sql.dropFirst("CREATE VIEW".count))
        changed.append(view.name)
      }
      left.removeSubrange(reading...)
    }
  }

  /// Shows all edits on a connection that does not yet.
  private func show(on connection: SQLiteConnection) throws {
    let missing = Set(edits.editedTables).subtracting(shadows.keys)
    if missing.isEmpty { return }
    try checkTables(on: connection)
    try connection.transaction(.read) {
      for number in missing { try shadow(edits.tables[number].name, on: connection) }
      let rows = edits.rows.sorted { (EditedRow.place($0.value), $0.key) < (EditedRow.place($1.value), $1.key) }
      for (id, row) in rows where missing.contains(id.table) { try put(row, as: id, on: connection) }
    }
  }

  /// Makes sure that tables with edits are as they were.
  func checkTables(on connection: SQLiteConnection) throws {
    for number in edits.editedTables {
      let known = edits.tables[number]
      let columns = try connection.keptRows(
        "SELECT name FROM pragma_table_xinfo(?, 'main') ORDER BY cid", [.text(known.name)]
      ) { $0.text(0) }
      if columns != known.columns {
        throw DAOError.misuse(
          "the table \(known.name) has other columns than when a unit of work edited it", use: "rollback() and edit again")
      }
    }
  }

  func currentSchema(on connection: SQLiteConnection) throws -> StoreSchema {
    let version = try connection.schemaMark().version
    if let schema, schema.version == version { return schema.schema }
    let read = try connection.schema { _ in false }
    schema = (version, read)
    return read
  }

  /// The entity of a table that a DAO of the unit has.
  func ownEntity(of table: EditedTable) -> EntityDescription? { entities[SchemaName(table.name)] }

  /// The entity of a table, as the unit's DAOs know it, or else by the schema.
  func entity(of table: EditedTable) -> EntityDescription {
    entities[SchemaName(table.name)] ?? tableEntities[SchemaName(table.name)]
      ?? EntityDescription(
        table.name, key: .assigned(table.key.map { table.columns[$0] }), attributes: table.columns.map { Attribute($0, .any) })
  }
}
