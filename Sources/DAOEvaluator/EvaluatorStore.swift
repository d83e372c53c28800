import DAOCriteria
import DAOWaiting

/// An entity store in memory without SQL and without a file, for the unit tests of your DAOs.
///
/// ```swift
/// let factory = try DAOFactory(store: .evaluator, entities: Zone.self, Country.self)
/// let zones = factory.dao(ZoneDAO.init)                       // your own DAO, unchanged
/// try zones.insert(Zone(name: "Europe/Bratislava", standardOffset: 3600))
/// #expect(try zones.east(of: 0).count == 1)
/// ```
///
/// Criteria mean here what their documentation says; an SQL store answers the same. The store keeps the rules of the descriptions as a
/// store made by SQLite does: keys, generated ones too, required attributes, unique indexes, foreign keys with their delete actions,
/// sessions and savepoints. A violation throws the same ``DAOError`` with the same problems.
///
/// It has one table for each entity, and neither views nor custom SQL: those need `.inMemory()`. It computes nothing: a generated attribute
/// keeps the value that an insert or an update gives it. Threads take turns.
public final class EvaluatorStore: EntityStore, ChangeSource {
  let data: EvaluatorData
  // Nil in the store that sessions are opened on.
  private let session: EvaluatorSession?

  /// An empty store for entities.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, and ``DAOError/unsupported(_:)`` for two entities that share a table.
  public init(_ entities: [EntityDescription]) throws {
    data = try EvaluatorData(entities)
    session = nil
  }

  private init(_ session: EvaluatorSession, of store: EvaluatorStore) {
    data = store.data
    self.session = session
  }

  /// The consumers that follow the store's commits; nil for a session's store.
  package var changeFeed: ChangeFeed? { session == nil ? data.feed : nil }

  /// The entities as a SQLite store would read them from its schema: by the names of tables and columns.
  public func entities() throws -> [EntityDescription] { try reading { $0.entities } }

  /// Runs a body while nobody else reads or writes; within a session, in the session.
  public func read<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result {
    try inSession(.read, refusing: .factoryInClosure(.read)) { try body(EvaluatorStore($0, of: self)) }
  }

  /// Runs a body in one transaction; within a session, in a savepoint.
  public func write<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result {
    try inSession(.write, refusing: .factoryInClosure(.write)) { try body(EvaluatorStore($0, of: self)) }
  }

  /// Runs a body in one transaction, which calls on the body's thread join; within a session, in the session.
  public func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    try inSession(mode, refusing: .plainDAOInClosure) { session in
      // That of a session's own DAO is joined by no other.
      isSession ? try body() : try ThreadMarker.entering(data, session: session, body)
    }
  }

  /// Runs a body on a thread of the store's, in its turn. A task that is cancelled before its turn does not run it.
  public func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    if session != nil { throw DAOError.sessionWithAwait }
    return try await data.line.perform(
      mode == .read ? .asyncRead : .asyncWrite, by: TimeLimit.scoped, isolation: isolation, body)
  }

  // MARK: Access

  var isSession: Bool { session != nil }

  /// Runs a body that reads.
  func reading<Result>(_ body: (EvaluatorData) throws -> Result) throws -> Result {
    guard let session = current else { return try data.turn(.statement, refusing: .plainDAOInClosure) { try body(data) } }
    try session.check()
    return try body(data)
  }

  /// Runs a body that writes, whole or not at all.
  func writing<Result>(_ body: (EvaluatorData) throws -> Result) throws -> Result {
    guard let session = current else {
      return try data.turn(.statement, refusing: .plainDAOInClosure) { try data.atomic { try body(data) } }
    }
    try session.check()
    if session.mode == .read { throw DAOError.sessionOnlyReads }
    return try data.atomic { try body(data) }
  }

  /// The store's session, or the one that a call on this thread joins; nil where there is neither.
  private var current: EvaluatorSession? { session ?? ThreadMarker.session(of: data) as? EvaluatorSession }

  /// Runs a body in the session that is open, or in a new one.
  private func inSession<Result>(
    _ mode: SessionMode, refusing misuse: DAOError, _ body: (EvaluatorSession) throws -> Result
  ) throws -> Result {
    if let current { return mode == .read ? try reading { _ in try body(current) } : try writing { _ in try body(current) } }
    return try data.turn(mode == .read ? .readSession : .writeSession, refusing: misuse) {
      let session = EvaluatorSession(mode)
      defer { session.isOpen = false }
      return try data.atomic { try body(session) }
    }
  }
}

/// For how long, and where, the store of a closure can be used.
private final class EvaluatorSession: @unchecked Sendable {
  let mode: SessionMode
  private let isOnItsThread = ThreadMarker.currentThreadTest()
  // Accessed only on the session's thread, which `check` makes sure of.
  var isOpen = true

  init(_ mode: SessionMode) { self.mode = mode }

  func check() throws {
    guard isOnItsThread() else { throw DAOError.sessionElsewhere }
    guard isOpen else { throw DAOError.sessionOver }
  }
}
