import DAOCriteria

/// The source of connections for statements: an engine, which leases one for each call, or a session, which has one.
package protocol ConnectionSource: AnyObject, Sendable {
  /// Leases a connection to read. One statement is a snapshot of its own; with `snapshot` one snapshot spans several.
  func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result

  /// Leases the connection that writes. With `atomic` several statements take effect as a whole or not at all.
  func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result

  /// Runs a body inside one transaction, which all calls of this source on the body's thread join; where one is open, inside of that.
  func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result
}
