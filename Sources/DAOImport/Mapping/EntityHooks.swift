import DAOKit

/// The hooks of an entity's mapping.
struct EntityHooks: Sendable {
  var before: (@Sendable (ImportRecord) throws -> ImportDecision)?
  /// Returns the values of the row that stands for the record.
  var instead: (@Sendable (ImportRecord, EntityDescription) throws -> [StoredValue]?)?
  var after: (@Sendable (inout RowReader, ImportRecord) throws -> Void)?
  var attributes: [String: AttributeHooks] = [:]
  var relationships: [String: RelationshipHooks] = [:]

  /// Whether a hook is called when the rows are stored.
  var areAtStoring: Bool { instead != nil || after != nil || relationships.values.contains { $0.after != nil } }
}
