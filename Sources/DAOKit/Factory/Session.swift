/// One snapshot, or one transaction, in which all DAOs share what they see: what the closures of `read` and `write` get.
///
/// A session stays inside its closure: after it, and on other threads, its DAOs throw ``DAOError/misuse(_:use:)``.
public final class Session {
  private let store: any EntityStore

  init(_ store: any EntityStore) { self.store = store }

  /// A custom DAO inside the session: `session.dao(ZoneDAO.init)`, or a closure where it has dependencies.
  public func dao<Custom>(_ make: (DAOContext) throws -> Custom) rethrows -> Custom { try make(DAOContext(store)) }

  /// A generic DAO inside the session.
  public func runtimeDAO<E: Entity>(_ type: E.Type) -> RuntimeDAO<E> { RuntimeDAO(DAOContext(store)) }

  /// A generic DAO by entity name inside the session.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)``.
  public func runtimeDAO(_ name: String) throws -> RuntimeDAO<DynamicEntity> {
    RuntimeDAO(DAOContext(store, entity: try store.entity(named: name)))
  }

  /// Runs a body in a savepoint: what it wrote goes when it throws, and the session goes on.
  @discardableResult
  public func write<Result>(_ body: (Session) throws -> Result) throws -> Result { try store.write { try body(Session($0)) } }
}

// A session belongs to one connection.
@available(*, unavailable)
extension Session: Sendable {}

extension EntityStore {
  /// The entity of this name, by the store's own account.
  func entity(named name: String) throws -> EntityDescription {
    let known = try entities()
    if let entity = known.first(where: { $0.name == name }) { return entity }
    let names = known.map(\.name).sorted()
    throw DAOError.unknownEntity(name: name, known: names, nearest: Nearest.name(to: name, among: names))
  }
}
