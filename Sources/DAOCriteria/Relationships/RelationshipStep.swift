/// One step from rows to those of a relationship: which attributes are equal.
package struct RelationshipStep: Sendable {
  /// The entity whose rows are reached.
  package let target: EntityDescription
  /// Attributes where the step begins and those of ``target`` that they are equal to.
  package let pairs: [(here: Attribute, there: Attribute)]
}
