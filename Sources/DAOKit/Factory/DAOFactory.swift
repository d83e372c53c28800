/// Makes DAOs over one store. Open, so that an app adds functions for its own DAOs.
///
/// ```swift
/// let factory = try DAOFactory(store: .file(appSupport / "clock.sqlite", seed: .file(bundled)), entities: Zone.self, Country.self)
/// let zones = factory.dao(ZoneDAO.init)
///
/// extension DAOMaker { var zones: ZoneDAO { dao(ZoneDAO.init) } }
/// ```
///
/// For the unit tests of your DAOs there is a store without SQL: `DAOFactory(store: .evaluator, entities: …)`.
///
/// A factory is a value like any other: make several for several stores. It can be shared by all threads; the store closes with the last
/// factory and DAO that hold it, or by ``close(within:)``.
open class DAOFactory: DAOMaker, @unchecked Sendable {
  /// The store of all data.
  public let store: any EntityStore
  /// The report on opening the store when the factory was made, where the store is a file or a seed.
  public let report: BootstrapReport?

  /// The types that the store was checked against when it was opened.
  let entities: [any Entity.Type]
  let catalog: EntityCatalog
  let log: StoreLog?

  /// A factory over any store.
  /// - Parameters:
  ///   - store: the store.
  ///   - report: the report on making it ready.
  ///   - entities: the entities that it has, as far as they are known.
  ///   - corrections: what is known of a SQLite store beyond its schema, for entities without Swift types.
  ///   - log: where operations on the whole store are logged; its statements are logged by whoever opened it.
  public init(
    over store: any EntityStore, report: BootstrapReport? = nil, entities: [any Entity.Type] = [],
    corrections: SchemaCorrections = SchemaCorrections(), log: StoreLog? = nil
  ) {
    self.store = store
    self.report = report
    self.entities = entities
    self.log = log
    catalog = EntityCatalog(correctedBy: corrections)
  }

  /// A factory over a SQLite store, which is made ready, checked against the entities and opened.
  /// - Parameters:
  ///   - store: its location, and the seed that it is made from at first launch.
  ///   - entities: the entities that it has to match; a store without a seed is made from them.
  ///   - statementTimeout: how long a statement may take, and how long each of its waits for a connection and for another process's lock
  ///     may take; nil, the default, for any time. A call beyond it throws ``DAOError/timedOut(_:message:)`` with
  ///     ``DAOError/Timeout/statement`` and leaves nothing behind. All rows of an `insert` are one statement; of a cursor and a stream,
  ///     each batch that is read. For the calls of a scope there is ``withDeadline(_:_:)-(_,()->Result)``.
  ///   - log: where and how much is logged; nil, the default, for nothing.
  ///   - trace: receives every statement that ran, those that made the store ready too.
  /// - Throws: ``DAOError/bootstrap(_:)``, ``DAOError/schemaMismatch(store:differences:)`` with every difference, and others.
  public convenience init(
    store: StoreDescription, entities: any Entity.Type..., statementTimeout: Duration? = nil, log: StoreLog? = nil,
    trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws {
    try self.init(store, entities.map { $0.entityDescription }, entities, SchemaCorrections(), statementTimeout, log, trace)
  }

  /// A factory over a SQLite store whose entities have no Swift types: their rows are ``DynamicEntity`` values.
  ///
  /// ```swift
  /// let note = EntityDescription("note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text)])
  /// let factory = try DAOFactory(store: .named("notes"), describedBy: [note])
  /// let notes = factory.runtimeDAO(note)
  /// ```
  /// - Parameters: as for ``init(store:entities:statementTimeout:log:trace:)``.
  /// - Throws: ``DAOError/bootstrap(_:)``, ``DAOError/schemaMismatch(store:differences:)`` with every difference, and others.
  public convenience init(
    store: StoreDescription, describedBy entities: [EntityDescription], statementTimeout: Duration? = nil, log: StoreLog? = nil,
    trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws {
    try self.init(store, entities, [], SchemaCorrections(), statementTimeout, log, trace)
  }

  /// A factory over a SQLite store that other programs made, whose entities have no Swift types: they are described by its schema and by
  /// what you know beyond it.
  ///
  /// ```swift
  /// let known = SchemaCorrections(types: ["Invoice": ["InvoiceDate": .date(.text("YYYY-MM-DD HH:MM:SS"))]])
  /// let factory = try DAOFactory(store: .file(url), corrections: known)
  /// let invoices = try factory.runtimeDAO("Invoice")
  /// ```
  /// - Parameters: as for ``init(store:entities:statementTimeout:log:trace:)``, and `corrections`: the forms of columns, the keys of views
  ///   and the foreign keys that the schema does not say. ``inspect(_:)`` finds the forms.
  /// - Throws: ``DAOError/bootstrap(_:)``, ``DAOError/schemaMismatch(store:differences:)`` with each correction that the store does not
  ///   allow, and others.
  public convenience init(
    store: StoreDescription, corrections: SchemaCorrections, statementTimeout: Duration? = nil, log: StoreLog? = nil,
    trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws {
    try self.init(store, [], [], corrections, statementTimeout, log, trace)
    _ = try self.store.entities(withView: "", correctedBy: corrections)
  }

  /// A factory over a SQLite store with the entities of a list.
  package convenience init(store: StoreDescription, entities: [any Entity.Type]) throws {
    try self.init(store, entities.map { $0.entityDescription }, entities, SchemaCorrections(), nil, nil, nil)
  }

  private convenience init(
    _ store: StoreDescription, _ entities: [EntityDescription], _ types: [any Entity.Type], _ corrections: SchemaCorrections,
    _ statementTimeout: Duration?, _ log: StoreLog?, _ trace: (@Sendable (StatementTrace) -> Void)?
  ) throws {
    let observation = StoreObservation(of: store, log, trace)
    do {
      let (engine, report) = try store.open(
        entities, statementTimeout: statementTimeout, statements: observation.statements, events: observation.events,
        carrying: observation.carrying)
      observation.note(engine, report)
      self.init(over: EngineStore(engine), report: report, entities: types, corrections: corrections, log: log)
    } catch {
      log?.note(notOpened: error)
      throw error
    }
  }

  /// The entity of a table or view, read from the store's schema.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)`` with the known names.
  public final func entity(named name: String) throws -> EntityDescription { try catalog.entity(named: name, in: store) }

  // MARK: Sessions

  /// Runs a body over one snapshot of the store.
  /// - Throws: ``DAOError``, and the errors of the body.
  public final func read<Result>(_ body: (Session) throws -> Result) throws -> Result { try store.read { try body(Session($0, catalog)) } }

  /// Runs a body in one transaction: it commits when the body returns, and leaves nothing behind when it throws.
  /// - Throws: ``DAOError``, and what the body throws.
  @discardableResult
  public final func write<Result>(_ body: (Session) throws -> Result) throws -> Result {
    try store.write { try body(Session($0, catalog)) }
  }

  /// Runs a body over one snapshot, on the store's queue.
  public final func read<Result: Sendable>(_ body: @escaping @Sendable (Session) throws -> Result) async throws -> Result {
    let (store, catalog) = (store, catalog)
    return try await store.perform(.read) { try store.read { try body(Session($0, catalog)) } }
  }

  /// Runs a body in one transaction, on the store's queue.
  @discardableResult
  public final func write<Result: Sendable>(_ body: @escaping @Sendable (Session) throws -> Result) async throws -> Result {
    let (store, catalog) = (store, catalog)
    return try await store.perform(.write) { try store.write { try body(Session($0, catalog)) } }
  }
}
