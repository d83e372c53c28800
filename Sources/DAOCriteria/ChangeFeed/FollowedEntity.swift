/// An entity that somebody follows, and whether with its changed attributes.
package struct FollowedEntity: Sendable, Hashable {
  package let entity: EntityDescription
  package let withAttributes: Bool
}
