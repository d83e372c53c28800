/// An entity that somebody follows, and what is noted of its changes besides the keys.
package struct FollowedEntity: Sendable, Hashable {
  package let entity: EntityDescription
  /// Whether the names of the attributes that changed are.
  package var withAttributes = false
  /// Whether the rows before and after are.
  package var withRows = false
}
