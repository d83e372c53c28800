import DAOCriteria
import DAOSQL
import DAOWaiting

/// A unit's connection inside one transaction of it, for as long as a closure runs.
final class UnitSession: ConnectionSource, @unchecked Sendable {
  private let unit: SQLiteUnit
  private let session: ConnectionSession

  init(_ unit: SQLiteUnit, _ connection: SQLiteConnection, _ mode: SessionMode) {
    self.unit = unit
    session = ConnectionSession(connection, mode, isOnItsThread: ThreadMarker.currentThreadTest())
  }

  func close() { session.close() }

  func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    try session.read(snapshot: snapshot, body)
  }

  func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    try unit.editing {
      try session.write(atomic: true) { connection in
        guard let connection = connection as? SQLiteConnection else { throw DAOError.unsupported("a unit of work needs SQLite") }
        return try unit.settling(connection) { try body(connection) }
      }
    }
  }

  func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    mode == .read ? try read(snapshot: true) { _ in try body() } : try write(atomic: true) { _ in try body() }
  }
}
