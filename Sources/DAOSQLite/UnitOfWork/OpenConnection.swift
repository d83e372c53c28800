import DAOCriteria
import DAOSQL

/// A connection that a call has already, as the source of itself for the calls that it is made of.
final class OpenConnection: ConnectionSource, @unchecked Sendable {
  // Only used by the call's thread.
  private let connection: any Connection

  init(_ connection: any Connection) { self.connection = connection }

  func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    snapshot && !connection.isInTransaction ? try connection.transaction(.read) { try body(connection) } : try body(connection)
  }

  func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    atomic ? try connection.savepoint { try body(connection) } : try body(connection)
  }

  func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    mode == .read ? try read(snapshot: true) { _ in try body() } : try write(atomic: true) { _ in try body() }
  }
}
