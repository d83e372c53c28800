import DAOKit

/// The descriptions of entities that name each other.
final class EntityBox: @unchecked Sendable {
  private var entities: [Int: EntityDescription] = [:]

  subscript(kind: Int) -> EntityDescription? { entities[kind] }

  /// Is called once, before any is looked up.
  func set(_ entities: [Int: EntityDescription]) { self.entities = entities }
}
