import DAOKit

/// A mapping of some entity.
protocol IncludedMapping: Sendable {
  /// The entity that the mapping is of; nil where it is known at run time only.
  var entity: EntityDescription? { get }
  /// The parts of the mapping.
  var parts: MappingParts { get }
}

extension ImportMapping: IncludedMapping {
  var entity: EntityDescription? { E.self == DynamicEntity.self ? nil : E.entityDescription }

  var parts: MappingParts {
    MappingParts(identity: identity, attributes: attributes, relationships: relationships, hooks: hooks, included: included) {
      _ = try E(row: &$0)
    }
  }
}
