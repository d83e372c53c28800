/// One snapshot, or one transaction, shared by all its DAOs; the closures of `read` and `write` receive it.
///
/// A session stays inside its closure: after it, and on other threads, its DAOs throw ``DAOError/misuse(_:use:)``.
public final class Session: DAOMaker {
  /// The store of its DAOs.
  public let store: any EntityStore
  private let catalog: EntityCatalog

  init(_ store: any EntityStore, _ catalog: EntityCatalog) {
    self.store = store
    self.catalog = catalog
  }

  /// The entity of a table or view, read from the store's schema.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)`` with the known names.
  public func entity(named name: String) throws -> EntityDescription { try catalog.entity(named: name, in: store) }

  /// Runs a body in a savepoint: its writes are rolled back when it throws, and the session continues.
  @discardableResult
  public func write<Result>(_ body: (Session) throws -> Result) throws -> Result { try store.write { try body(Session($0, catalog)) } }
}

// A session belongs to one connection.
@available(*, unavailable)
extension Session: Sendable {}
