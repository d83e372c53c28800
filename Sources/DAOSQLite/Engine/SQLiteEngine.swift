import DAOCriteria
import DAOSQL
import DAOWaiting
import Dispatch
import Foundation
import GRDB

/// SQLite as an engine: one connection that writes, and a few that read beside it in WAL mode, each opened when it is first needed.
///
/// Each is a GRDB `DatabaseQueue` and not one `DatabasePool`: a read of one row costs less than half (5 µs against 12 µs). One statement is
/// its own snapshot, so reads open no transaction.
package final class SQLiteEngine: Engine {
  enum Mode {
    /// A file, with connections of its own to read.
    case readWrite(writer: WriterSlot, readers: ReaderPool)
    /// One connection for everything: a store in memory has no second one.
    case single(WriterSlot)
    /// Connections that only read.
    case readOnly(ReaderPool)
  }

  let mode: Mode
  /// Its file, or that it is in memory.
  let name: String
  /// How it was opened; nil for one that was handed a file as it is.
  let origin: StoreOrigin?
  /// How its connections are opened.
  let configuration: SQLiteConfiguration
  /// Suspends the store.
  package let suspension: Suspension
  /// The consumers that follow the store's commits.
  package let feed = ChangeFeed()
  /// Looks for commits of other processes.
  let watch = CommitWatch()
  /// The operations that close, open, remove or reset the store.
  let life = StoreLife()
  /// How long a statement may take, and a wait for a connection.
  let statementTimeout: Duration?
  // The mode's. To take them out of it at each read would count both its references up and down, which all threads share.
  let readers: ReaderPool?
  // The calls with `await` that read: as many run at a time as connections are kept for reading.
  let asyncReads: CallLine

  /// Opens a store that exists; a missing one is an error.
  /// - Parameters:
  ///   - url: the store's file. It is put into WAL mode, with foreign keys on, full syncs, and a busy timeout of five seconds.
  ///   - trace: receives every statement that ran.
  /// - Throws: ``DAOError``.
  package convenience init(opening url: URL, trace: (@Sendable (StatementTrace) -> Void)? = nil) throws {
    let configuration = SQLiteConfiguration(statements: trace.map { StatementObserver($0) })
    try self.init(.file(StoreFile(url, configuration), looked: nil), configuration)
  }

  /// Opens a file that nothing changes, such as a seed in a read-only folder: nothing is written, no lock taken, no file made beside it.
  /// - Parameters:
  ///   - url: the file; it must not be in WAL mode.
  ///   - trace: receives every statement that ran.
  /// - Throws: ``DAOError``.
  package convenience init(readingUnchanging url: URL, trace: (@Sendable (StatementTrace) -> Void)? = nil) throws {
    let configuration = SQLiteConfiguration(statements: trace.map { StatementObserver($0) })
    try self.init(.unchanging(StoreFile(url, configuration)), configuration)
  }

  /// A store in memory, empty or with what `fill` puts into it. Its data is lost with the engine.
  /// - Throws: ``DAOError``, and what `fill` throws.
  package convenience init(
    inMemory fill: (Database) throws -> Void = { _ in }, notesByTriggers: Bool = false, trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws {
    let configuration = SQLiteConfiguration(statements: trace.map { StatementObserver($0) }, notesByTriggers: notesByTriggers)
    try self.init(.memory(Self.memory(fill, configuration)), configuration)
  }

  /// A connection of a store in memory.
  static func memory(
    _ fill: (Database) throws -> Void, _ configuration: SQLiteConfiguration
  ) throws -> SerialConnection {
    let connection = try SerialConnection(path: ":memory:", configuration, isReadOnly: false)
    try connection.prepare { database in
      database.trustSchema()
      try fill(database)
      try database.trustSearchTriggers()
    }
    return connection
  }

  /// An engine over an opened store. Its first connection is opened too, so that a store that can't be opened is an error now.
  convenience init(_ opened: OpenedStore, from origin: StoreOrigin) throws { try self.init(opened, origin.configuration, origin) }

  private init(_ opened: OpenedStore, _ configuration: SQLiteConfiguration, _ origin: StoreOrigin? = nil) throws {
    self.origin = origin
    self.configuration = configuration
    suspension = configuration.suspension
    statementTimeout = configuration.statementTimeout
    let stallTimeout = configuration.stallTimeout
    asyncReads = CallLine(places: ReaderPool.placeCount, "any connection that reads", stallTimeout: stallTimeout)
    switch opened {
    case .file(let file, let looked):
      let writer = WriterSlot(substitute: looked, stallTimeout: stallTimeout, open: file.writer)
      let readers = ReaderPool(idle: looked.map { [$0] } ?? [], stallTimeout: stallTimeout, open: file.reader)
      (mode, self.readers) = (.readWrite(writer: writer, readers: readers), readers)
      name = file.path
      if looked == nil { try writer.open(for: self) }
    case .unchanging(let file):
      let readers = ReaderPool(stallTimeout: stallTimeout, open: file.unchangingReader)
      (mode, self.readers) = (.readOnly(readers), readers)
      name = file.path
      try readers.lend(for: self, .maintenance) { _ in }
    case .memory(let connection):
      (mode, readers) = (.single(WriterSlot(stallTimeout: stallTimeout) { connection }), nil)
      name = "in memory"
    }
    suspension.add(self)
    feed.whenFollowed { [weak self] in self?.followChanged() }
  }

  deinit {
    readers?.closeIdle()
    // One that can write closes last: only it can fold the WAL in and remove its files.
    if case .readWrite(let writer, _) = mode { writer.closeAlone() }
    suspension.remove(self)
    watch.end()
    feed.finish()
  }

  /// SQLite's.
  package var dialect: DAOSQL.SQL.Dialect { .sqlite }

  // A read whose result leaves the closure by a variable is compiled apart, as one piece of code without closures inside.
  /// Leases a connection to read.
  @_specialize(where Result == Void)
  package func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) { return try joined(.plainDAOInClosure).read(snapshot: snapshot, body) }
    return try reading(.statement) { connection in
      snapshot ? try connection.transaction(.read) { try body(connection) } : try body(connection)
    }
  }

  /// Leases a read connection that is idle, for a few microseconds.
  package func readBriefly(_ body: (any Connection) throws -> Void) throws -> Bool {
    guard let readers, !ThreadMarker.isInside(self) else { return false }
    return try readers.lendIfIdle(.statement) { try $0.runBriefly(for: self, body) } ?? false
  }

  /// Leases the connection that writes.
  package func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) { return try joined(.plainDAOInClosure).write(atomic: atomic, body) }
    return try writing(.statement) { connection in
      atomic ? try connection.transaction(.write) { try body(connection) } : try connection.statement { try body(connection) }
    }
  }

  /// Runs a body over one connection inside one transaction.
  package func session<Result>(_ mode: SessionMode, _ body: (ConnectionSession) throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) {
      let session = try joined(.factoryInClosure(mode))
      return try session.withSession(mode) { try body(session) }
    }
    return try opening(mode, body)
  }

  /// Runs a body inside one transaction, which all calls on its thread join.
  package func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    if ThreadMarker.isInside(self) { return try joined(.plainDAOInClosure).withSession(mode, body) }
    return try opening(mode) { session in try ThreadMarker.entering(self, session: session, body) }
  }

  private func opening<Result>(_ mode: SessionMode, _ body: (ConnectionSession) throws -> Result) throws -> Result {
    func run(_ connection: SQLiteConnection) throws -> Result {
      let session = ConnectionSession(connection, mode, isOnItsThread: ThreadMarker.currentThreadTest())
      defer { session.close() }
      return try connection.transaction(mode) { try body(session) }
    }
    return mode == .read ? try reading(.readSession, run) : try writing(.writeSession, run)
  }

  /// The session that a call joins which is made inside a closure of the engine.
  /// - Throws: the misuse where the closure is not one of ``withSession(_:_:)``.
  private func joined(_ misuse: @autoclosure () -> DAOError) throws -> ConnectionSession {
    guard let session = ThreadMarker.session(of: self) as? ConnectionSession else { throw misuse() }
    return session
  }

  /// Runs a body on a thread of the engine's: one that reads beside the others that read, one that writes in its turn.
  package func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try suspension.check()
    return try await line(for: mode).perform(
      mode == .read ? .asyncRead : .asyncWrite, by: waitLimit, isolation: isolation, carrying(body))
  }

  /// A body that runs on another thread with what belongs to the calling task.
  func carrying<Result>(_ body: @escaping @Sendable () throws -> Result) -> @Sendable () throws -> Result {
    configuration.carrying.map { $0.carrying(body) } ?? body
  }

  /// How many connections calls have, and how many calls wait for one.
  package var load: (connectionsInUse: Int, waiting: Int) {
    let reading = readers?.load ?? (0, 0)
    let writing =
      switch mode {
      case .readWrite(let writer, _): writer.line.load
      case .single(let slot): slot.line.load
      case .readOnly: (0, 0)
      }
    return (reading.0 + writing.0, reading.1 + writing.1 + asyncReads.waitingCount)
  }

  private func line(for mode: SessionMode) -> CallLine {
    switch (self.mode, mode) {
    case (.readWrite(let writer, _), .write): writer.line
    case (.single(let slot), _): slot.line
    case (.readWrite, .read), (.readOnly, _): asyncReads
    }
  }

  /// By when a wait for a connection has to end that begins now.
  var waitLimit: TimeLimit? { TimeLimit.first(TimeLimit.scoped, statementTimeout.map { TimeLimit($0, .statement) }) }

  /// Leases one of the connections that read. A store in memory has one connection for everything, and none to spare.
  package func lease() throws -> (any ConnectionLease)? {
    try readers.map { try ReaderLease(from: $0, of: self) }
  }

  // The path of a read is one piece of code: as calls with a closure each, it took a fortieth of a page of 20 rows.
  @inline(__always)
  private func reading<Result>(
    _ activity: ConnectionHolder.Activity, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    if let readers { return try readers.lend(for: self, activity) { try $0.run(for: self, body) } }
    return try writing(activity, body)
  }

  func writing<Result>(_ activity: ConnectionHolder.Activity, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    switch mode {
    case .readWrite(let slot, _), .single(let slot): return try slot.run(for: self, activity, body)
    case .readOnly: throw DAOError.readOnly(entity: nil, reason: "the store is used where it lies and can only be read")
    }
  }

  func refuseNesting(_ misuse: @autoclosure () -> DAOError) throws {
    if ThreadMarker.isInside(self) { throw misuse() }
  }
}
