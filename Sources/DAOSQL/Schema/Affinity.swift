import DAOCriteria

/// The rules by which SQLite takes an affinity from a declared type (sqlite.org/datatype3.html, section 3.1).
package enum Affinity {
  case integer, text, blob, real, numeric

  /// Whether a text that is a number becomes one.
  package var isNumeric: Bool { [.integer, .real, .numeric].contains(self) }

  package init(declaredName: String) {
    let name = SchemaName.capitals(declaredName)
    self =
      if name.contains("INT") {
        .integer
      } else if ["CHAR", "CLOB", "TEXT"].contains(where: name.contains) {
        .text
      } else if name.isEmpty || name.contains("BLOB") {
        .blob
      } else if ["REAL", "FLOA", "DOUB"].contains(where: name.contains) {
        .real
      } else {
        .numeric
      }
  }
}
