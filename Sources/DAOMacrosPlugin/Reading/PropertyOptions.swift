import SwiftSyntax

/// The options of `@Attribute` on one property, each with the syntax that a problem is reported at.
struct PropertyOptions {
  struct Index {
    let argument: LabeledExprSyntax
    let attribute: AttributeSyntax
    let isUnique: Bool
  }

  struct Mark {
    let argument: LabeledExprSyntax
    let attribute: AttributeSyntax
  }

  struct Storage {
    let argument: LabeledExprSyntax
    let attribute: AttributeSyntax
    let name: String
    let family: WrittenType.Family
    /// As the description has it: `.date(.unixSeconds)`.
    let type: String
  }

  struct Reference {
    let argument: LabeledExprSyntax
    let attribute: AttributeSyntax
    /// As the description has it: `(table: "country", column: "code")`.
    let text: String
    let deleteRule: ExprSyntax?
  }

  struct Mapping {
    let argument: LabeledExprSyntax
    let attribute: AttributeSyntax
    /// As the description has it: `["full_name", "name"]`.
    let text: String
  }

  var column: LabeledExprSyntax?
  var index: Index?
  var storage: Storage?
  var reference: Reference?
  var searchable: Mark?
  var version: Mark?
  var generated: Mark?
  var isIdentity = false
  var mapping: Mapping?
  /// The expressions of the names.
  var renamedFrom: [String] = []

  /// The family that a form of storage belongs to, and how the description names it.
  static func storage(_ option: String, _ arguments: LabeledExprListSyntax?) -> (family: WrittenType.Family, type: String)? {
    switch option {
    case "iso8601", "unixSeconds", "unixMilliseconds", "unixMicroseconds", "unixNanoseconds", "secondsSince2001", "julianDays",
      "unixSecondsText", "unixMillisecondsText":
      (.date, ".date(.\(option))")
    case "dateText": (.date, ".date(.text(DAOCriteria.DatePattern(\(arguments?.trimmedDescription ?? ""))))")
    case "scaled", "numeric", "real": (.decimal, ".decimal(.\(option)(\(arguments?.first?.expression.trimmedDescription ?? "")))")
    case "decimalText": (.decimal, ".decimal(.text)")
    case "uuidBlob": (.uuid, ".uuid(.blob)")
    case "uuidText": (.uuid, ".uuid(.text)")
    case "uuidSpelled": (.uuid, ".uuid(.spelled(\(arguments?.first?.expression.trimmedDescription ?? "[]")))")
    case "text": (.text, ".text(\(arguments?.first?.expression.trimmedDescription ?? ""))")
    case "boolText": (.bool, ".boolText(DAOCriteria.BoolText(\(arguments?.first?.expression.trimmedDescription ?? "")))")
    default: nil
    }
  }
}
