import DAOKit

/// The hooks of a relationship.
struct RelationshipHooks: Sendable {
  var before: (@Sendable (ImportValue, ImportRecord) throws -> ImportDecision)?
  var instead: (@Sendable (ImportRecord) throws -> ImportValue?)?
  var after: (@Sendable (inout RowReader, ImportRecord) throws -> Void)?
}
