import DAOKit

/// An entity whose one-liners run through a DAO of yours, with its scope and its overrides. An import keeps the scope. It calls no
/// override: rules for imports are hooks of its mapping.
///
/// ```swift
/// extension Person: EntityWithDAO {
///   static func makeDAO(_ context: DAOContext) -> PersonDAO { PersonDAO(context) }
/// }
///
/// try Person.dao().adults()
/// ```
public protocol EntityWithDAO: Entity {
  /// The DAO's class.
  associatedtype EntityDAO: DAO<Self>

  /// Makes the DAO: `PersonDAO(context)`.
  static func makeDAO(_ context: DAOContext) -> EntityDAO
}

extension EntityWithDAO {
  /// The DAO of the default factory, or of a factory, session or unit of work.
  /// - Throws: ``DAOError/misuse(_:use:)`` where there is no default factory.
  public static func dao(in maker: (any DAOMaker)? = nil) throws -> EntityDAO {
    makeDAO(DAOContext(try (maker ?? ActiveRecord.factory).store))
  }

  /// The entity's own DAO, for one-liners, which know it as a DAO of the entity.
  fileprivate static func ownDAO(_ context: DAOContext) -> Any { makeDAO(context) }
}

extension Entity {
  /// The DAO that one-liners run through: the entity's own where it is ``EntityWithDAO``, else a ``RuntimeDAO``.
  /// - Parameter maker: the factory, session or unit of work of the DAO; by default the factory of ``ActiveRecord``.
  /// - Throws: ``DAOError/misuse(_:use:)`` where there is no default factory.
  @_disfavoredOverload
  public static func dao(in maker: (any DAOMaker)? = nil) throws -> DAO<Self> {
    let maker = try maker ?? ActiveRecord.factory
    guard let own = (Self.self as? any EntityWithDAO.Type)?.ownDAO(DAOContext(maker.store)) as? DAO<Self> else {
      return maker.runtimeDAO(Self.self)
    }
    return own
  }

  /// The DAO for this row: of a dynamic one, that of its entity.
  func dao(in maker: (any DAOMaker)?) throws -> DAO<Self> {
    guard let row = self as? DynamicEntity else { return try Self.dao(in: maker) }
    return RuntimeDAO(DAOContext(try (maker ?? ActiveRecord.factory).store, entity: row.entity))
  }
}
