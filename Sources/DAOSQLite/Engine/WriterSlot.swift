import DAOCriteria
import DAOWaiting
import Foundation

/// The connection that writes, opened when it is first needed, and the line of those who want it.
final class WriterSlot: @unchecked Sendable {
  /// The line. Whoever holds its slot may access the state below.
  let line: CallLine
  private var open: @Sendable () throws -> SerialConnection
  private var opened: SerialConnection?
  // Could write too: kept so that the one that closes last can fold the WAL in where nothing was written.
  private var substitute: SerialConnection?
  // Why there is no connection; nil while the store is open.
  private var refusal: DAOError?

  /// - Parameters:
  ///   - substitute: stands in for the connection when the store closes.
  ///   - stallTimeout: how long a call waits for it while it is not given back.
  ///   - open: opens the connection. Where it throws, the next call tries again.
  init(substitute: SerialConnection? = nil, stallTimeout: Duration, open: @escaping @Sendable () throws -> SerialConnection) {
    line = CallLine(places: 1, "the connection that writes", stallTimeout: stallTimeout)
    self.substitute = substitute
    self.open = open
  }

  /// Runs a body with the connection when the calls before have ended.
  @inline(__always)
  func run<Result>(
    for engine: SQLiteEngine, _ activity: ConnectionHolder.Activity, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    try engine.suspension.check()
    return try line.run(activity, by: engine.waitLimit) {
      defer { if engine.suspension.isSuspended { letGo() } }
      return try connection(for: engine).run(for: engine) { connection in try connection.reporting(to: engine.feed) { try body(connection) }
      }
    }
  }

  /// Opens the connection.
  func open(for engine: SQLiteEngine) throws {
    try line.run(.maintenance, by: nil) { _ = try connection(for: engine) }
  }

  /// The connection, opened as the inside of an engine: its trace may call a DAO, which is not to wait for this very connection.
  private func connection(for engine: SQLiteEngine) throws -> SerialConnection {
    if let opened { return opened }
    if let refusal { throw refusal }
    try engine.suspension.check()
    let connection = try ThreadMarker.entering(engine, open)
    opened = connection
    return connection
  }

  /// Runs a body with the database itself when the calls before have ended.
  func prepare(by deadline: Deadline, _ body: (SerialConnection) throws -> Void) throws -> Bool {
    try beforeEnd(of: deadline) { if let opened { try body(opened) } }
  }

  /// Closes the connection when the calls before have ended, and refuses calls from then on.
  /// - Returns: false where that takes longer; then nothing has changed.
  func close(by deadline: Deadline, _ refusal: DAOError) throws -> Bool {
    try beforeEnd(of: deadline) {
      self.refusal = refusal
      letGo()
    }
  }

  /// Closes the connection when the call that has it has ended, and ends the waits of those that come after it.
  /// - Parameter isSuspended: whether the store is still suspended.
  /// - Returns: false where that takes longer; it then closes when it is given back.
  func releaseLocks(by deadline: Deadline, while isSuspended: () -> Bool) -> Bool {
    line.endWaits(by: DAOError.suspended, if: isSuspended)
    // In short waits, since the store may be resumed meanwhile.
    while isSuspended() {
      let next = Deadline(min(deadline.left, .milliseconds(20)))
      if (try? beforeEnd(of: next) { if isSuspended() { letGo() } }) == true { return true }
      if deadline.left == .zero { return false }
    }
    return true
  }

  /// Opens the connection unless a call holds its slot.
  func openIfFree(for engine: SQLiteEngine) {
    _ = try? line.runIfFree(.maintenance) { _ = try connection(for: engine) }
  }

  /// Reports what other processes have committed, unless a call has the slot, which does so itself.
  func reportOthersIfFree(for engine: SQLiteEngine, isFirst: Bool = false) {
    _ = try? line.runIfFree(.maintenance) {
      defer { if engine.suspension.isSuspended { letGo() } }
      try connection(for: engine).run(for: engine) { $0.reportOthers(to: engine.feed, isFirst: isFirst) }
    }
  }

  /// Closes the connection of an engine that nobody has any more.
  func closeAlone() { letGo() }

  private func letGo() {
    opened = nil
    substitute = nil
  }

  /// Lets calls in again.
  func resume() throws { try line.run(.maintenance, by: nil) { refusal = nil } }

  /// Lets calls in again, to another file.
  func resume(substitute: SerialConnection?, open: @escaping @Sendable () throws -> SerialConnection) throws {
    try line.run(.maintenance, by: nil) {
      self.substitute = substitute
      self.open = open
      refusal = nil
    }
  }

  private func beforeEnd(of deadline: Deadline, _ body: () throws -> Void) throws -> Bool {
    let limit = TimeLimit.first(TimeLimit.scoped, TimeLimit(deadline.left, .deadline))
    do { try line.run(.maintenance, by: limit, body) } catch DAOError.timedOut { return false }
    return true
  }
}
