/// The generic DAO, for entities that need no logic of their own.
///
/// ```swift
/// let countries = factory.runtimeDAO(Country.self)
/// let zones = try factory.runtimeDAO("zone")           // RuntimeDAO<DynamicEntity>, from the store's own schema
/// ```
public final class RuntimeDAO<E: Entity>: DAO<E>, @unchecked Sendable {
  // No override of the synchronous function stands in between: the store may find the entity in its own way.
  override func awaitFind(_ id: E.PrimaryKey) async throws -> E { try await context.store.find(E.self, in: target, key: id) }
}

extension DAO where E == DynamicEntity {
  /// A new row of this DAO's entity, yet to be inserted; attributes that are not named take their default
  /// where it is a literal, else nil.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every name that the entity does not have.
  public func make(_ values: [String: Scalar]) throws -> DynamicEntity { try DynamicEntity(entity, values) }

  /// The row with a key of one attribute.
  public func find(_ key: Scalar) throws -> DynamicEntity { try find([key]) }

  /// The row with a key of one attribute, as `await find(id)` finds it.
  public func find(_ key: Scalar) async throws -> DynamicEntity { try await find([key]) }
}
