import DAOCriteria

/// The kind of write that broke a foreign key.
package enum KeyedWrite {
  /// A new or changed row, by its attributes' values.
  /// - Parameter setting: the attributes that an upsert sets in a row that it meets; nil where they are all.
  case row([StoredValue], setting: [String]? = nil)
  /// A row that was to be deleted, by its key.
  case deletion(key: [StoredValue])
  /// Rows that were to be deleted; whether rows of a table that stay point to them by some columns.
  case deletions(arePointedTo: (_ pointer: Pointer) throws -> Bool)
  /// Attributes that many rows were to get, each with its value where that is the same for all.
  case change(to: [(attribute: String, value: StoredValue?)])

  /// How rows point to others.
  package struct Pointer {
    /// The table of the rows that point.
    package let table: String
    /// Their columns.
    package let columns: [String]
    /// The columns that they point to.
    package let target: [String]
  }
}
