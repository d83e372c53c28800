import DAOCriteria

/// A foreign key that an entity asks for.
package struct EntityForeignKey {
  /// The attributes here.
  package let attributes: [Attribute]
  /// The table pointed to.
  package let table: String
  /// Its columns.
  package let columns: [String]
  /// The action here when the other row is deleted.
  package let onDelete: DeleteRule
}
