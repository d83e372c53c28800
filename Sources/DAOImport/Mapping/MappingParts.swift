import DAOKit

/// The parts of a mapping, without its entity's type.
struct MappingParts {
  let identity: [String]?
  let attributes: [String: AttributeMapping]
  let relationships: [String: RelationshipMapping]
  let hooks: EntityHooks
  let included: [any IncludedMapping]
  /// Reads a row as the Swift type does.
  let check: (inout RowReader) throws -> Void
  /// Whether each record is a new row, and none is looked up.
  var onlyInserts = false
}
