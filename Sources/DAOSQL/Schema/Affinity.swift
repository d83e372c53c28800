import DAOCriteria
import Foundation

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

  /// A literal as it is compared with a column of the affinity: as a number where it is one and the column holds numbers, as a text where
  /// that holds texts (sqlite.org/datatype3.html, section 4.2).
  func compared(_ literal: StoredValue) -> StoredValue {
    switch (self, literal) {
    case (.integer, .text(let text)), (.real, .text(let text)), (.numeric, .text(let text)):
      if case .integer(let number)? = SQLLiteral.value(text.trimmingCharacters(in: .whitespaces)) { return .integer(number) }
      return Double(text.trimmingCharacters(in: .whitespaces)).map { $0.isFinite ? .real($0) : literal } ?? literal
    case (.text, .integer(let number)): return .text("\(number)")
    default: return literal
    }
  }
}
