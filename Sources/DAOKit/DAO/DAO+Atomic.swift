// Custom functions that take effect whole, wherever they are called.
extension DAO {
  /// Runs a body in one transaction, which commits when the body returns and leaves nothing behind when it throws. Calls of this DAO, and
  /// of other DAOs of the same store, join it inside the body.
  ///
  /// ```swift
  /// final class AccountDAO: DAO<Account>, @unchecked Sendable {
  ///   func move(_ amount: Int, from: Int64, to: Int64) throws {
  ///     try write {
  ///       var (source, target) = (try find(from), try find(to))
  ///       source.balance -= amount
  ///       target.balance += amount
  ///       try update([source, target])
  ///     }
  ///   }
  ///
  ///   func move(_ amount: Int, from: Int64, to: Int64) async throws {
  ///     try await write { try self.move(amount, from: from, to: to) }
  ///   }
  /// }
  /// ```
  ///
  /// Inside the body of another call of it, and for a session's DAO, the body joins the transaction that is open, in a savepoint: what it
  /// wrote is rolled back when it throws, and the transaction continues. `move` is therefore atomic by itself, in `factory.write { session
  /// in … session.dao(AccountDAO.init).move(…) }`, and called by another function of the DAO. A DAO of the factory does not join a session
  /// of ``DAOFactory/write(_:)-((Session)->Result)``: there it throws ``DAOError/misuse(_:use:)``, as all its calls do.
  ///
  /// In SQL: `BEGIN IMMEDIATE … COMMIT`, or `SAVEPOINT dao … RELEASE SAVEPOINT dao` inside a transaction.
  /// - Throws: ``DAOError``, ``DAOError/readOnly(entity:reason:)`` inside of a body that only reads, and what the body throws.
  @discardableResult
  public final func write<Result>(_ body: () throws -> Result) throws -> Result { try context.store.withSession(.write, body) }

  /// Runs a body over one snapshot of the store. Calls of this DAO, and of other DAOs of the same store, read from it inside the body.
  ///
  /// Inside of another such body, and for a session's DAO, the body reads from the open transaction, and may write where that one writes.
  /// - Throws: ``DAOError``, and what the body throws.
  public final func read<Result>(_ body: () throws -> Result) throws -> Result { try context.store.withSession(.read, body) }

  /// Runs `write(body)` on the store's queue: for the `async` functions of a custom DAO.
  @discardableResult
  public final func write<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await context.store.perform(.write) { try self.write(body) }
  }

  /// Runs `read(body)` on the store's queue.
  public final func read<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await context.store.perform(.read) { try self.read(body) }
  }
}
