/// The type of an attribute's values and the form in which the store keeps them.
///
/// Each type has one declared type name, which is written into the schema and read back from it, so that a description can be made from
/// any store:
///
/// | type | declared as | stored as |
/// |---|---|---|
/// | `.integer` | `INTEGER` | 64-bit integer |
/// | `.real` | `REAL` | double |
/// | `.bool` | `BOOLEAN` | 0 or 1 |
/// | `.boolText("Y/N")` | `"BOOLEAN_TEXT Y/N"` | one of two words |
/// | `.text` | `TEXT` | UTF-8 |
/// | `.text(.nocase)`, `.text(.rtrim)` | `TEXT COLLATE NOCASE`, `RTRIM` | UTF-8, see ``TextStorage`` |
/// | `.text(.padded(8))`, `.text(.blob)` | `TEXT_PADDED(8)`, `TEXT_BLOB` | 8 characters, filled up with blanks; bytes |
/// | `.data` | `BLOB` | bytes |
/// | `.uuid(.blob)`, `.uuid(.text)` | `UUID_BLOB`, `UUID_TEXT` | 16 bytes; 36 characters in lower case |
/// | `.uuid(.spelled([.capitals]))` | `UUID_TEXT_CAPITALS` | a text, see ``UUIDSpelling`` |
/// | `.date(.iso8601)` | `DATETIME_TEXT` | `2026-11-21T06:19:00.000Z`, to the millisecond |
/// | `.date(.unixSeconds)` | `DATETIME_SECONDS` | seconds since 1970; an integer where whole, else a double |
/// | `.date(.unixMilliseconds)` | `DATETIME_MILLISECONDS` | milliseconds since 1970 |
/// | other dates | see ``DateStorage`` | |
/// | `.decimal(.scaled(2))` | `DECIMAL_INTEGER(2)` | the number times 10², an integer |
/// | `.decimal(.text)` | `DECIMAL_TEXT` | plain decimal digits |
/// | `.decimal(.numeric(2))` | `DECIMAL_NUMERIC(2)` | an integer where whole, else a double |
/// | `.decimal(.real(2))` | `DECIMAL_REAL(2)` | a double |
/// | `.json` | `JSON_TEXT` | JSON |
/// | `.any` | any other name | whatever storage class the row has |
///
/// The names are chosen so that SQLite derives the right affinity from them (rules: sqlite.org/datatype3.html, section 3.1).
public enum AttributeType: Sendable, Hashable {
  /// A truth value.
  case bool
  /// A truth value as one of two words in a text.
  case boolText(BoolText)
  /// An integer of any width.
  case integer
  /// A double or float.
  case real
  /// Text: `String`, `URL`, enums and own types that convert to text.
  case text
  /// Text in another form, written `.text(.nocase)`.
  case storedText(AttributeType.TextStorage)
  /// Bytes.
  case data
  /// A UUID.
  case uuid(AttributeType.UUIDStorage)
  /// An instant.
  case date(AttributeType.DateStorage)
  /// An exact decimal number.
  case decimal(AttributeType.DecimalStorage)
  /// A `Codable` value as JSON text.
  case json
  /// A column whose declared type says nothing: the storage class of each row.
  case any
}

extension AttributeType {
  /// The type's name in a schema.
  public var declaredName: String {
    switch self {
    case .bool: "BOOLEAN"
    case .boolText(let words): "BOOLEAN_TEXT \(words)"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .storedText(let storage): storage.declaredName
    case .data: "BLOB"
    case .uuid(.blob): "UUID_BLOB"
    case .uuid(.text): "UUID_TEXT"
    case .uuid(.spelled(let spelling)): spelling.declaredName
    case .date(.iso8601): "DATETIME_TEXT"
    case .date(.unixSeconds): "DATETIME_SECONDS"
    case .date(.unixMilliseconds): "DATETIME_MILLISECONDS"
    case .date(.unixMicroseconds): "DATETIME_MICROSECONDS"
    case .date(.unixNanoseconds): "DATETIME_NANOSECONDS"
    case .date(.secondsSince2001): "DATETIME_SECONDS_SINCE_2001"
    case .date(.julianDays): "DATETIME_JULIAN_DAYS"
    case .date(.unixSecondsText): "DATETIME_SECONDS_TEXT"
    case .date(.unixMillisecondsText): "DATETIME_MILLISECONDS_TEXT"
    case .date(.text(let pattern)): "DATETIME_TEXT \(pattern)"
    case .decimal(.scaled(let digits)): "DECIMAL_INTEGER(\(digits))"
    case .decimal(.text): "DECIMAL_TEXT"
    case .decimal(.numeric(let digits)): "DECIMAL_NUMERIC(\(digits))"
    case .decimal(.real(let digits)): "DECIMAL_REAL(\(digits))"
    case .json: "JSON_TEXT"
    case .any: ""
    }
  }

  /// The type that a declared name stands for; `.any` where the name is none of the documented ones.
  ///
  /// Common spellings whose storage class leaves no doubt count too: every name with `INT` is an integer, with `CHAR`, `TEXT` or
  /// `CLOB` text, `DOUBLE` and `FLOAT` are doubles, `BOOL` is a truth value.
  public init(declaredName: String) {
    let name = SchemaName.capitals(declaredName)
    switch name {
    case "BOOLEAN", "BOOL": self = .bool
    case "REAL", "DOUBLE", "DOUBLE PRECISION", "FLOAT": self = .real
    case "TEXT", "CLOB": self = .text
    case "BLOB": self = .data
    case "UUID_BLOB": self = .uuid(.blob)
    case "UUID_TEXT": self = .uuid(.text)
    case "DATETIME_TEXT": self = .date(.iso8601)
    case "DATETIME_SECONDS": self = .date(.unixSeconds)
    case "DATETIME_MILLISECONDS": self = .date(.unixMilliseconds)
    case "DATETIME_MICROSECONDS": self = .date(.unixMicroseconds)
    case "DATETIME_NANOSECONDS": self = .date(.unixNanoseconds)
    case "DATETIME_SECONDS_SINCE_2001": self = .date(.secondsSince2001)
    case "DATETIME_JULIAN_DAYS": self = .date(.julianDays)
    case "DATETIME_SECONDS_TEXT": self = .date(.unixSecondsText)
    case "DATETIME_MILLISECONDS_TEXT": self = .date(.unixMillisecondsText)
    case "DECIMAL_TEXT": self = .decimal(.text)
    case "JSON_TEXT": self = .json
    default:
      if let storage = AttributeType.DecimalStorage(declared: name) {
        self = .decimal(storage)
      } else if let storage = AttributeType.TextStorage(declared: name) {
        self = .storedText(storage)
      } else if let spelling = UUIDSpelling(declared: name) {
        self = .uuid(.spelled(spelling))
      } else if let words = BoolText(declared: declaredName) {
        self = .boolText(words)
      } else if name.hasPrefix("DATETIME_TEXT "), let pattern = DatePattern(declared: String(declaredName.dropFirst(14))) {
        self = .date(.text(pattern))
      } else if name.contains("INT") {
        self = .integer
      } else if ["CHAR", "TEXT", "CLOB"].contains(where: name.contains) {
        self = .text
      } else {
        self = .any
      }
    }
  }
}

extension AttributeType: CustomStringConvertible {
  /// The type as messages show it.
  public var description: String {
    switch self {
    case .bool, .boolText: "Bool"
    case .integer: "integer"
    case .real: "double"
    case .text, .storedText: "text"
    case .data: "data"
    case .uuid: "UUID"
    case .date: "date"
    case .decimal: "decimal"
    case .json: "JSON"
    case .any: "any"
    }
  }
}
