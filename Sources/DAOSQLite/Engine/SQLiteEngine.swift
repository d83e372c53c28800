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
  enum Mode {
    /// A file, with connections of its own to read.
    case readWrite(writer: WriterPlace, readers: ReaderPool)
    /// One connection for everything: a store in memory has no second one.
    case single(Lane)
    /// Connections that only read.
    case readOnly(ReaderPool)
  }

  let mode: Mode
  /// Its file, or that it is in memory.
  let name: String
  /// How it was opened; nil for one that was handed a file as it is.
  let origin: StoreOrigin?
  /// Whoever closes, opens, removes or resets the store.
  let life = StoreLife()
  // The mode's. To take them out of it at each read would count both its references up and down, which all threads share.
  private let readers: ReaderPool?
  private let queue = DispatchQueue(label: "DAOKit.SQLiteEngine", attributes: .concurrent)

  /// Opens a store that is there. SQLite is never let to make one.
  /// - Parameters:
  ///   - url: the store's file. It is put into WAL mode, with foreign keys on, full syncs, and five seconds of patience with locks.
  ///   - trace: is told of every statement.
  /// - Throws: ``DAOError``.
  public convenience init(opening url: URL, trace: (@Sendable (StatementTrace) -> Void)? = nil) throws {
    try self.init(.file(StoreFile(url, SQLiteConfiguration(trace: trace)), looked: nil))
  }

  /// Opens a file that nothing changes, such as a seed in a read-only place: nothing is written, no lock taken, no file made beside it.
  /// - Parameters:
  ///   - url: the file; it must not be in WAL mode.
  ///   - trace: is told of every statement.
  /// - Throws: ``DAOError``.
  public convenience init(readingUnchanging url: URL, trace: (@Sendable (StatementTrace) -> Void)? = nil) throws {
    try self.init(.unchanging(StoreFile(url, SQLiteConfiguration(trace: trace))))
  }

  /// A store in memory, empty or with what `fill` puts into it. It is gone with the engine.
  /// - Throws: ``DAOError``, and what `fill` throws.
  public convenience init(
    inMemory fill: (Database) throws -> Void = { _ in }, trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws {
    try self.init(.memory(Self.memory(fill, trace: trace)))
  }

  /// A connection of a store in memory.
  static func memory(_ fill: (Database) throws -> Void, trace: (@Sendable (StatementTrace) -> Void)?) throws -> Lane {
    let lane = try Lane(path: ":memory:", SQLiteConfiguration(trace: trace).make(isReadOnly: false), isShared: true)
    try lane.prepare(fill)
    return lane
  }

  /// An engine over what was opened. Its first connection is opened too, so that a store that can't be opened is an error now.
  init(_ opened: OpenedStore, from origin: StoreOrigin? = nil) throws {
    self.origin = origin
    switch opened {
    case .file(let file, let looked):
      let writer = WriterPlace(substitute: looked, open: file.writer)
      let readers = ReaderPool(idle: looked.map { [$0] } ?? [], open: file.reader)
      (mode, self.readers) = (.readWrite(writer: writer, readers: readers), readers)
      name = file.path
      if looked == nil { _ = try writer.lane(for: self) }
    case .unchanging(let file):
      let readers = ReaderPool(open: file.unchangingReader)
      (mode, self.readers) = (.readOnly(readers), readers)
      name = file.path
      try readers.lend(for: self) { _ in }
    case .memory(let lane):
      (mode, readers) = (.single(lane), nil)
      name = "in memory"
    }
  }

  // One that can write closes last: only it can fold the WAL in and remove its files.
  deinit { if case .readWrite = mode { readers?.closeIdle() } }

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

  func refuseNesting(_ misuse: @autoclosure () -> DAOError) throws {
    if ThreadMarker.isInside(self) { throw misuse() }
  }
}
