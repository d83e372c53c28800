/// A relationship that a path goes through.
package struct CheckedHop: Sendable {
  /// The relationship.
  package let relationship: Relationship
  /// One step, or two where pairs are between.
  package let steps: [RelationshipStep]
  /// The entity that it leads to.
  package let target: EntityDescription
}
