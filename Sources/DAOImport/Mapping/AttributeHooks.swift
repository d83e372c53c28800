import DAOKit

/// The hooks of an attribute.
struct AttributeHooks: Sendable {
  var before: (@Sendable (ImportValue, ImportRecord) throws -> ImportDecision)?
  /// Writes the value.
  var instead: (@Sendable (ImportRecord, inout ColumnWriter) throws -> Void)?
  /// Reads the value, and writes the one to store.
  var after: (@Sendable (inout RowReader, ImportRecord, inout ColumnWriter) throws -> Void)?
}
