import DAOKit
import Testing

extension Both {
  /// Sets a stored value as another program may have written it.
  func set(_ value: StoredValue, of attribute: String, id: Int64, in entity: EntityDescription, _ store: any EntityStore) throws {
    switch store {
    case let store as EvaluatorStore: try store.setStored(value, of: attribute, key: [.integer(id)], in: entity)
    case let store as EngineStore:
      let column = try #require(entity[attribute]?.column)
      let scalar = try AttributeType.any.scalar(value)
      _ = try store.execute(
        """
        UPDATE \(identifier: entity.table) SET \(identifier: column) = \(scalar) \
        WHERE \(identifier: entity.keyAttributes[0].column) = \(id)
        """
      )
    default: Issue.record("a store of another kind")
    }
  }

  /// A store of one entity whose rows have these stored values in its attribute `value`, by their numbers from 1.
  func store(_ values: [StoredValue], in entity: EntityDescription) throws -> any EntityStore {
    let store = try store(for: [entity])
    let target = EntityTarget(entity)
    _ = try store.insert(values.map { _ in try DynamicEntity(entity, [:]) }, in: target)
    for (number, value) in values.enumerated() { try set(value, of: "value", id: Int64(number + 1), in: entity, store) }
    return store
  }
}

extension EntityStore {
  /// The keys of the rows that a filter finds, in order.
  func keys(_ filter: Criteria.Condition, of entity: EntityDescription) throws -> [Int64] {
    var criteria = Criteria()
    criteria.filter = filter
    criteria.orders = [Criteria.Ordering(.field(.root.appending(entity.key.attributes[0])))]
    return try findKeys(DynamicEntity.self, in: EntityTarget(entity), criteria).map { key in
      if case .integer(let id)? = key.first { id } else { -1 }
    }
  }
}
