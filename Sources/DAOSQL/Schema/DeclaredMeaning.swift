import DAOCriteria
import Foundation

/// The meaning of a type name that other programs declare, beyond the storage classes (`INTEGER`, `REAL`, `TEXT`, `BLOB`) that determine
/// how a value is stored and not its meaning.
///
/// | declared | its values |
/// |---|---|
/// | `NUMERIC`, `DECIMAL(10,2)`, `NUMBER`, `MONEY`, … | numbers as they are: 18 is eighteen |
/// | `DATETIME`, `DATE`, `TIMESTAMP`, `TIME`, … | instants in the form of whoever wrote them, which an attribute states |
/// | `UUID`, `GUID`, `UNIQUEIDENTIFIER` | UUIDs as text, or as bytes whose order differs from program to program |
/// | `JSON`, `JSONB` | JSON as text, or in SQLite's own bytes |
///
/// An attribute that keeps such values in a form of its own would silently read others' rows as something else.
package enum DeclaredMeaning {
  case number, instant, uuid, json

  /// The meaning of a declared type; nil for the library's own names, a storage class, and names that say nothing.
  package init?(declaredName: String) {
    guard AttributeType(declaredName: declaredName) == .any else { return nil }
    let letters = SchemaName.capitals(declaredName).unicodeScalars.prefix { ("A"..."Z").contains($0) || $0 == "_" }
    switch String(String.UnicodeScalarView(letters)) {
    case "NUMERIC", "DECIMAL", "DEC", "NUMBER", "FIXED", "MONEY", "SMALLMONEY", "CURRENCY": self = .number
    case "DATETIME", "SMALLDATETIME", "DATETIMEOFFSET", "DATE", "TIME", "TIMETZ", "TIMESTAMP", "TIMESTAMPTZ": self = .instant
    case "UUID", "GUID", "UNIQUEIDENTIFIER": self = .uuid
    case "JSON", "JSONB": self = .json
    default: return nil
    }
  }

  /// The characters that a declared type of texts of one width speaks of: 8 of `CHAR(8)`; nil for other types.
  package static func width(declaredName: String) -> Int? {
    let name = SchemaName.capitals(declaredName)
    let types = ["CHAR", "CHARACTER", "NCHAR", "NATIVE CHARACTER", "BPCHAR"]
    guard let open = name.firstIndex(of: "("), name.hasSuffix(")"),
      types.contains(name[..<open].trimmingCharacters(in: .whitespaces))
    else { return nil }
    return Int(name[open...].dropFirst().dropLast().trimmingCharacters(in: .whitespaces))
  }

  /// The digits after the point that a declared type speaks of: 2 of `NUMERIC(10, 2)`; nil where it speaks of none.
  package static func digits(declaredName: String) -> Int? {
    guard let open = declaredName.firstIndex(of: "("), let close = declaredName[open...].firstIndex(of: ")") else { return nil }
    let parts = declaredName[open..<close].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 ? Int(parts[1].trimmingCharacters(in: .whitespaces)) : nil
  }
}

extension AttributeType {
  /// Returns the declaration to use for an attribute over a column of this declared type instead of this type, and why, in one sentence.
  func advice(forDeclared name: String) -> String {
    let found = AttributeType(declaredName: name)
    let shown = name.isEmpty ? "without a type" : name
    let own = self == .any ? "" : "; for \(swiftName), have a migration convert the column to \(declaredName)"
    switch DeclaredMeaning(declaredName: name) {
    case .number:
      let digits = DeclaredMeaning.digits(declaredName: name)
      let decimal = "a Decimal with .numeric(\(digits ?? 2))\(digits == nil ? " or as many digits as its numbers have" : "")"
      return "\(shown) holds numbers as they are: declare it as \(decimal), or as Double or Int" + own
    case .instant:
      let date = "declare it as a Date whose form you state, such as .dateText(\"YYYY-MM-DD HH:MM:SS\"), or as Scalar"
      return "\(shown) holds dates in the form of whoever wrote them: \(date)" + own
    case .uuid:
      let uuid = "a UUID whose form you state, .uuidText or .uuidSpelled([.capitals]), or as Scalar"
      return "\(shown) holds UUIDs in the form of whoever wrote them: declare it as \(uuid)" + own
    case .json: return "\(shown) holds JSON in the form of whoever wrote it: declare it as Scalar" + own
    case nil:
      if case .decimal = self, case .real = Affinity(declaredName: name) {
        return "\(shown) holds doubles: declare it as a Decimal with .real(2) or as many digits as its numbers have, or as Double" + own
      }
      return "declare it as \(found.swiftName)" + own
    }
  }
}
