/// A form of a file of records, which is exported.
public enum RecordForm: Sendable, Hashable {
  /// A list of objects.
  case json
  /// An object in each line.
  case jsonLines
  /// Comma-separated values, the names in the first line. Null is an empty cell, an empty text `""`. It has no lists and no objects: a
  /// to-one relationship is the identity of the other row.
  case csv(delimiter: Unicode.Scalar = ",")
}
