/// One step from rows to those of a relationship: which attributes are equal.
@_documentation(visibility: internal)
public struct RelationshipStep: Sendable {
  /// The entity whose rows are reached.
  public let target: EntityDescription
  /// Attributes where the step begins and those of ``target`` that they are equal to.
  public let pairs: [(here: Attribute, there: Attribute)]
}
