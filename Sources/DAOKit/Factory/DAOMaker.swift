/// What makes DAOs: a ``DAOFactory``, a ``Session`` or a ``UnitOfWork``. An extension gives all three a name for a DAO of yours:
///
/// ```swift
/// extension DAOMaker { var zones: ZoneDAO { dao(ZoneDAO.init) } }
///
/// try factory.zones.find(7)
/// try factory.write { session in try session.zones.delete(7) }
/// ```
public protocol DAOMaker {
  /// The store of its DAOs.
  var store: any EntityStore { get }

  /// The entity of a table or view, read from the store's schema.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)`` with the known names.
  func entity(named name: String) throws -> EntityDescription
}

extension DAOMaker {
  /// A custom DAO: `factory.dao(ZoneDAO.init)`, or a closure that passes further dependencies.
  public func dao<Custom>(_ make: (DAOContext) throws -> Custom) rethrows -> Custom { try make(DAOContext(store)) }

  /// A generic DAO for a type.
  public func runtimeDAO<E: Entity>(_ type: E.Type) -> RuntimeDAO<E> { RuntimeDAO(DAOContext(store)) }

  /// A generic DAO for an entity by its name, read from the store's schema; no Swift type is needed.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)`` with the known names.
  public func runtimeDAO(_ name: String) throws -> RuntimeDAO<DynamicEntity> {
    RuntimeDAO(DAOContext(store, entity: try entity(named: name)))
  }

  /// A generic DAO over an entity that you describe yourself, such as one read from a file: its rows are ``DynamicEntity`` values.
  /// Statements are kept for the description as an object, make it once.
  ///
  /// Its types are compared with the columns' by the first statement, as are those of any entity that the factory was not made with: an
  /// attribute that would read its column's values as something else is ``DAOError/schemaMismatch(store:differences:)``.
  public func runtimeDAO(_ entity: EntityDescription) -> RuntimeDAO<DynamicEntity> { RuntimeDAO(DAOContext(store, entity: entity)) }

  /// A custom DAO over an entity that you describe yourself: `factory.dao(of: archive, ZoneDAO.init)`. Of a `DAO<Zone>` it has the
  /// attributes of `Zone` in their order, in another table or other columns; a `DAO<DynamicEntity>` takes any.
  public func dao<Custom>(of entity: EntityDescription, _ make: (DAOContext) throws -> Custom) rethrows -> Custom {
    try make(DAOContext(store, entity: entity))
  }
}
