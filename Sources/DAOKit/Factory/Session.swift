/// One snapshot, or one transaction, shared by all its DAOs; the closures of `read` and `write` receive it.
///
/// A session stays inside its closure: after it, and on other threads, its DAOs throw ``DAOError/misuse(_:use:)``.
public final class Session {
  private let store: any EntityStore
  private let catalog: EntityCatalog

  init(_ store: any EntityStore, _ catalog: EntityCatalog) {
    self.store = store
    self.catalog = catalog
  }

  /// A custom DAO inside the session: `session.dao(ZoneDAO.init)`, or a closure where it has dependencies.
  public func dao<Custom>(_ make: (DAOContext) throws -> Custom) rethrows -> Custom { try make(DAOContext(store)) }

  /// A generic DAO inside the session.
  public func runtimeDAO<E: Entity>(_ type: E.Type) -> RuntimeDAO<E> { RuntimeDAO(DAOContext(store)) }

  /// A generic DAO by entity name inside the session.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)``.
  public func runtimeDAO(_ name: String) throws -> RuntimeDAO<DynamicEntity> {
    RuntimeDAO(DAOContext(store, entity: try catalog.entity(named: name, in: store)))
  }

  /// A generic DAO inside the session over an entity that you describe yourself, such as one read from a file: its rows are
  /// ``DynamicEntity`` values. Statements are kept for the description as an object, make it once.
  public func runtimeDAO(_ entity: EntityDescription) -> RuntimeDAO<DynamicEntity> { RuntimeDAO(DAOContext(store, entity: entity)) }

  /// A custom DAO inside the session over an entity that you describe yourself: `session.dao(of: archive, ZoneDAO.init)`. Of a `DAO<Zone>`
  /// it has the attributes of `Zone` in their order, in another table or other columns; a `DAO<DynamicEntity>` takes any.
  public func dao<Custom>(of entity: EntityDescription, _ make: (DAOContext) throws -> Custom) rethrows -> Custom {
    try make(DAOContext(store, entity: entity))
  }

  /// Runs a body in a savepoint: its writes are rolled back when it throws, and the session continues.
  @discardableResult
  public func write<Result>(_ body: (Session) throws -> Result) throws -> Result { try store.write { try body(Session($0, catalog)) } }
}

// A session belongs to one connection.
@available(*, unavailable)
extension Session: Sendable {}
