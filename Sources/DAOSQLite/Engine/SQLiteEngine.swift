import DAOCriteria
import DAOSQL
import Dispatch
import Foundation
import GRDB

/// SQLite as an engine: one connection that writes, and a few that read beside it in WAL mode, each opened when it is first needed.
///
/// Each is a GRDB `DatabaseQueue` and not one `DatabasePool`: a read of one row costs less than half (5 µs against 12 µs). One statement is
/// its own snapshot, so reads open no transaction.
public final class SQLiteEngine: Engine {
  private enum Mode {
    /// A file, with connections of its own to read.
    case readWrite(writer: WriterPlace, readers: ReaderPool)
    /// One connection for everything: a store in memory has no second one.
    case single(Lane)
    /// Connections that only read.
    case readOnly(ReaderPool)
  }

  private let mode: Mode
  // The mode's. To take them out of it at each read would count both its references up and down, which all threads share.
  private let readers: ReaderPool?
  private let queue = DispatchQueue(label: "DAOKit.SQLiteEngine", attributes: .concurrent)

  /// Opens a store that is there. SQLite is never let to make one.
  /// - Parameters:
  ///   - url: the store's file. It is put into WAL mode, with foreign keys on, full syncs, and five seconds of patience with locks.
  ///   - trace: is told of every statement.
  /// - Throws: ``DAOError``.
  public convenience init(opening url: URL, trace: (@Sendable (StatementTrace) -> Void)? = nil) throws {
    let file = StoreFile(url, SQLiteConfiguration(trace: trace))
    let writer = WriterPlace(open: file.writer)
    self.init(.readWrite(writer: writer, readers: ReaderPool(open: file.reader)))
    // Opens the connection, so that a store that can't be opened is an error now.
    _ = try writer.lane(for: self)
  }

  /// Goes on with the connection by which a bootstrap has looked at the store: as the first that reads. One that writes is opened when it
  /// is needed.
  /// - Parameter looked: open for writing and held, so that it is in WAL mode.
  convenience init(of looked: SQLiteFile, trace: (@Sendable (StatementTrace) -> Void)?) throws {
    let configuration = SQLiteConfiguration(trace: trace)
    let reader = try Lane(looked.queue, isShared: false)
    try reader.prepare { database in
      try database.run("PRAGMA query_only = ON")
      try database.run("PRAGMA busy_timeout = \(SQLiteConfiguration.patience * 1000)")
      configuration.startTrace(of: database)
    }
    let file = StoreFile(URL(fileURLWithPath: looked.path), configuration)
    self.init(
      .readWrite(writer: WriterPlace(substitute: reader, open: file.writer), readers: ReaderPool(idle: [reader], open: file.reader)))
  }

  /// Opens a file that nothing changes, such as a seed in a read-only place: nothing is written, no lock taken, no file made beside it.
  /// - Parameters:
  ///   - url: the file; it must not be in WAL mode.
  ///   - trace: is told of every statement.
  /// - Throws: ``DAOError``.
  public convenience init(readingUnchanging url: URL, trace: (@Sendable (StatementTrace) -> Void)? = nil) throws {
    let readers = ReaderPool(open: StoreFile(url, SQLiteConfiguration(trace: trace)).unchangingReader)
    self.init(.readOnly(readers))
    // Opens the first connection, so that a file that can't be read is an error now.
    try readers.lend(for: self) { _ in }
  }

  /// A store in memory, empty or with what `fill` puts into it. It is gone with the engine.
  /// - Throws: ``DAOError``, and what `fill` throws.
  public convenience init(
    inMemory fill: (Database) throws -> Void = { _ in }, trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws {
    let lane = try Lane(path: ":memory:", SQLiteConfiguration(trace: trace).make(isReadOnly: false), isShared: true)
    try lane.prepare(fill)
    self.init(.single(lane))
  }

  private init(_ mode: Mode) {
    self.mode = mode
    readers = if case .readWrite(_, let readers) = mode { readers } else if case .readOnly(let readers) = mode { readers } else { nil }
  }

  // One that can write closes last: only it can fold the WAL in and remove its files.
  deinit { if case .readWrite = mode { readers?.close() } }

  /// SQLite's.
  public var dialect: Dialect { .sqlite }

  // A read whose result leaves the closure by a variable is compiled apart, as one piece of code without closures inside.
  /// Lends a connection to read.
  @_specialize(where Result == Void)
  public func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    try refuseNesting(.plainDAOInClosure)
    return try reading { connection in
      snapshot ? try connection.transaction(.read) { try body(connection) } : try body(connection)
    }
  }

  /// Lends the connection that writes.
  public func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    try refuseNesting(.plainDAOInClosure)
    return try writing { connection in
      atomic ? try connection.transaction(.write) { try body(connection) } : try body(connection)
    }
  }

  /// Runs a body over one connection inside one transaction.
  public func session<Result>(_ mode: SessionMode, _ body: (ConnectionSession) throws -> Result) throws -> Result {
    try refuseNesting(.factoryInClosure(mode))
    func run(_ connection: SQLiteConnection) throws -> Result {
      let session = ConnectionSession(connection, mode, isOnItsThread: ThreadMarker.currentThreadTest())
      defer { session.close() }
      return try connection.transaction(mode) { try body(session) }
    }
    return mode == .read ? try reading(run) : try writing(run)
  }

  /// Runs a body on the engine's queue. A task that is cancelled before its turn does not run it.
  public func perform<Result: Sendable>(
    isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await queue.perform(isolation: isolation, body)
  }

  /// Lets one of the connections that read. A store in memory has one connection for everything, and none to spare.
  public func lease() throws -> (any ConnectionLease)? {
    try readers.map { try ReaderLease(from: $0, of: self) }
  }

  // What a read goes through is one piece of code: as calls with a closure each, it took a fortieth of a page of 20 rows.
  @inline(__always)
  private func reading<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if let readers { return try readers.lend(for: self) { try $0.run(for: self, body) } }
    return try writing(body)
  }

  private func writing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    switch mode {
    case .readWrite(let writer, _): return try writer.lane(for: self).run(for: self, body)
    case .single(let lane): return try lane.run(for: self, body)
    case .readOnly: throw DAOError.readOnly(entity: nil, reason: "the store is used where it lies and can only be read")
    }
  }

  private func refuseNesting(_ misuse: @autoclosure () -> DAOError) throws {
    if ThreadMarker.isInside(self) { throw misuse() }
  }
}
