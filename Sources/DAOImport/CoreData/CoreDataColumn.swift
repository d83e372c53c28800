import DAOKit
import Foundation

/// A column of a Core Data store, and the form in which its values are read.
struct CoreDataColumn {
  let attribute: Attribute
  /// The form of its data; nil where nobody named it.
  var form: CoreDataMapping.DataForm?
  /// Whether its data are UUIDs.
  var isUUID = false
  /// Whether only hooks read it, which may repair values that are not of its type.
  var isForHooks = false
  /// Whether an attribute reads the next column of its list where this one is null.
  var fallsThrough = false
  /// Whether its data may be a reference to a file although nobody said so.
  var isGuarded = false

  var name: String { attribute.name }

  /// The value that is stored in a row.
  /// - Throws: ``ValueProblem`` where it is not of the column's type, unless only hooks read it.
  func scalar(_ stored: StoredValue, _ files: ExternalData) throws -> Scalar {
    switch (attribute.type, stored) {
    case (_, .null): return .null
    case (.any, _): return try AttributeType.any.scalar(stored)
    case (.integer, .integer), (.real, .integer), (.real, .real), (.text, .text): return try attribute.type.scalar(stored)
    case (.bool, .integer(let value)): return .integer(value)
    case (.decimal, .integer(let value)): return .decimal(Decimal(value))
    // Core Data keeps a decimal as a double near it: its first 15 digits are those of the decimal, as SQLite shows them too.
    case (.decimal, .real(let value)):
      if let decimal = DecimalText.exactDecimal(number: String(format: "%.15g", value)) { return .decimal(decimal) }
    case (.decimal, .text(let text)): if let decimal = DecimalText.exactDecimal(number: text) { return .decimal(decimal) }
    case (.date, .integer(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.date, .real(let seconds)) where seconds.isFinite: return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.data, .blob(let data)): return .data(try files.data(data, form, isGuarded: isGuarded))
    default: break
    }
    if isForHooks { return try AttributeType.any.scalar(stored) }
    throw ValueProblem("expects \(expected), but the row holds \(stored.shown)")
  }

  /// A value as a record has it.
  /// - Throws: ``ValueProblem`` for data that are no UUID.
  func node(_ scalar: Scalar) throws -> JSONNode {
    switch scalar {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .number("\(value)")
    case .real(let value): return value.isFinite ? .number("\(value)") : .text(value < 0 ? "-infinity" : "infinity")
    case .text(let text): return .text(text)
    case .uuid(let uuid): return .text(uuid.uuidString)
    case .date(let date): return .number("\(date.timeIntervalSince1970)")
    case .decimal(let decimal): return .number(decimal.description)
    case .data(let data):
      if !isUUID { return .text(data.base64EncodedString()) }
      guard data.count == 16 else { throw ValueProblem("expects a UUID of 16 bytes, but the row holds \(data.count) bytes") }
      return try node(AttributeType.uuid(.blob).scalar(.blob(data)))
    }
  }

  private var expected: String {
    switch attribute.type {
    case .integer, .bool: "an integer"
    case .real: "a number"
    case .decimal: "decimal digits"
    case .date: "a date, in seconds since 2001"
    case .text: "a text"
    case .data: "data"
    default: "\(attribute.type)"
    }
  }

  /// The reason why an attribute can't be read from the column; nil where it can.
  /// - Parameter isMapped: whether a mapping names the column, and says what numbers mean as dates.
  func mismatch(_ type: AttributeType, isMapped: Bool) -> String? {
    let fits =
      switch (attribute.type, type) {
      case (.any, _): true
      case (.date, .date): true
      case (.date, _): false
      case (.data, .data), (.data, .uuid): true
      case (.data, _), (_, .data): false
      case (.text, _): true
      case (_, .uuid): false
      case (_, .date): isMapped
      case (.integer, _), (.bool, _): true
      case (_, .bool): false
      default: true
      }
    return fits ? nil : "is \(type), but the column \(attribute.column) has \(attribute.type); name another one, or convert it by a hook"
  }
}
