import DAOCriteria

/// How an attribute's type is written in Swift: the property's type and the option of `@Attribute` that states its form.
struct SwiftOption {
  let type: String
  let option: String?

  /// - Parameter isKey: whether the property identifies a row, which not every type can.
  init(_ type: AttributeType, isKey: Bool = false) {
    (self.type, option) =
      switch type {
      case .bool: ("Bool", nil)
      case .boolText(let words): ("Bool", ".boolText(\"\(words)\")")
      case .integer: ("Int", nil)
      case .real: ("Double", nil)
      // A Codable type of yours takes the place of a text that is JSON.
      case .text, .json: ("String", nil)
      case .storedText(let storage): ("String", ".text(.\(storage))")
      case .data: ("Data", nil)
      case .uuid(.blob): ("UUID", nil)
      case .uuid(.text): ("UUID", ".uuidText")
      case .uuid(.spelled(let spelling)): ("UUID", ".uuidSpelled(\(spelling))")
      case .date(.iso8601): ("Date", nil)
      case .date(.text("YYYY-MM-DD")) where !isKey: ("CalendarDay", nil)
      case .date(.text(let pattern)):
        ("Date", ".dateText(\"\(pattern.pattern)\"\(pattern.zone == "UTC" ? "" : ", zone: \"\(pattern.zone)\""))")
      case .date(let storage): ("Date", ".\(storage)")
      case .decimal(.text): ("Decimal", nil)
      case .decimal(let storage): ("Decimal", ".\(storage)")
      case .any: ("Scalar", nil)
      }
  }

  /// Whether a property of the type can identify a row.
  static func isKey(_ type: AttributeType) -> Bool {
    switch type {
    case .integer, .text, .storedText, .json, .data, .uuid, .date, .decimal: true
    case .bool, .boolText, .real, .any: false
    }
  }
}
