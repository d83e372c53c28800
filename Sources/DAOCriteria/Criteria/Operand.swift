/// A term with the entity it belongs to and the Swift type that its values have: a function of an attribute, an aggregate, or an attribute
/// by its name.
///
/// ```swift
/// .where(.lower(\.name) == "europe/bratislava")           // dao_lower("name") = ?
/// .where(\.standardOffset == .max(\.standardOffset))      // "standardOffset" = (SELECT MAX("standardOffset") FROM "zone")
/// .where(.field("standardOffset") > 3600)                 // "standardOffset" > ?
/// ```
public struct Operand<Root: Entity, Value: AttributeValue>: Sendable, Hashable {
  /// The part of a query that it stands for.
  public let term: Criteria.Term

  /// An operand that stands for a term.
  public init(_ term: Criteria.Term) { self.term = term.checkedForDepth }

  /// An operand for the field at a key path.
  @inlinable public init(_ path: KeyPath<Root.Fields, Field<Value>>) { term = Root.term(path) }
}

extension Entity {
  /// The term for the field at a key path.
  @inlinable @inline(__always)
  public static func term<Value>(_ path: FieldKeyPath<Self, Value>) -> Criteria.Term { Fields(path: .root)[keyPath: path].term }
}

extension Entity {
  /// The names of the attributes at key paths. The check reports a path that is no attribute.
  package static func names(_ paths: [PartialKeyPath<Fields>]) -> [String] {
    let fields = Fields(path: .root)
    return paths.map { path in
      switch fields[keyPath: path] {
      case let field as any NamedField: field.name
      case let related as any RelationshipField: related.path.description
      default: "a key path"
      }
    }
  }
}

/// A field of any type.
private protocol NamedField { var name: String { get } }

extension Field: NamedField {
  fileprivate var name: String { if case .field(let path) = term { path.description } else { term.projectedName } }
}

// An attribute by name.
extension Operand where Value == Scalar {
  /// The attribute of this name; `"country.code"` goes through a relationship.
  public static func field(_ name: String) -> Operand { Operand(.field(FieldPath(name))) }
}

// Functions of one attribute or operand.
extension Operand {
  /// Text in lower case: `dao_lower("name")`, as Swift's `lowercased()`.
  public static func lower(_ path: FieldKeyPath<Root, Value>) -> Operand { lower(Operand(path)) }
  /// Text in lower case: `dao_lower(…)`, as Swift's `lowercased()`.
  public static func lower(_ operand: Operand) -> Operand { operand.applying(.lower) }
  /// Text in upper case: `dao_upper("name")`, as Swift's `uppercased()`.
  public static func upper(_ path: FieldKeyPath<Root, Value>) -> Operand { upper(Operand(path)) }
  /// Text in upper case: `dao_upper(…)`, as Swift's `uppercased()`.
  public static func upper(_ operand: Operand) -> Operand { operand.applying(.upper) }
  /// Text without spaces at both ends: `dao_trim("name")`.
  public static func trim(_ path: FieldKeyPath<Root, Value>) -> Operand { trim(Operand(path)) }
  /// Text without spaces at both ends: `dao_trim(…)`.
  public static func trim(_ operand: Operand) -> Operand { operand.applying(.trim) }
  /// A part of the text, `start` Unicode scalars after its start, with at most `length` of them, or all that are left:
  /// `dao_substring("name", ?, ?)`.
  public static func substring(_ path: FieldKeyPath<Root, Value>, from start: Int, length: Int? = nil) -> Operand {
    substring(Operand(path), from: start, length: length)
  }
  /// A part of the text: `dao_substring(…, ?, ?)`.
  public static func substring(_ operand: Operand, from start: Int, length: Int? = nil) -> Operand {
    Operand(.substring(operand.term, start, length))
  }
  /// Text with one part of it replaced wherever it occurs, from its start on and by its UTF-8 bytes; an empty part occurs nowhere:
  /// `dao_replace("name", ?, ?)`. One of more than 100,000,000 bytes is ``DAOError/overflow(entity:message:)``.
  public static func replace(_ path: FieldKeyPath<Root, Value>, _ part: String, with other: String) -> Operand {
    replace(Operand(path), part, with: other)
  }
  /// Text with one part of it replaced wherever it occurs: `dao_replace(…, ?, ?)`.
  public static func replace(_ operand: Operand, _ part: String, with other: String) -> Operand {
    Operand(.replace(operand.term, part, other))
  }
  /// The number without its sign: `dao_abs("offset")`.
  public static func abs(_ path: FieldKeyPath<Root, Value>) -> Operand { abs(Operand(path)) }
  /// The number without its sign: `dao_abs(…)`.
  public static func abs(_ operand: Operand) -> Operand { operand.applying(.abs) }
  /// The number rounded to a whole one, halves away from zero: `dao_round("latitude")`.
  public static func round(_ path: FieldKeyPath<Root, Value>) -> Operand { round(Operand(path)) }
  /// The number rounded to a whole one, halves away from zero: `dao_round(…)`.
  public static func round(_ operand: Operand) -> Operand { operand.applying(.round) }
  /// The number rounded to 0 to 15 digits after the point, halves away from zero, as its decimal digits are written: 2.675 to two is 2.68.
  /// Decimals stay decimals: `dao_round("price", 'DECIMAL_TEXT', ?)`.
  public static func round(_ path: FieldKeyPath<Root, Value>, digits: Int) -> Operand { round(Operand(path), digits: digits) }
  /// The number rounded to 0 to 15 digits after the point: `dao_round(…, 'REAL', ?)`.
  public static func round(_ operand: Operand, digits: Int) -> Operand {
    operand.applying(.round, .integer(digits))
  }

  /// How many Unicode scalars the text has: `dao_length("name")`.
  public static func length<V>(_ path: FieldKeyPath<Root, V>) -> Operand where Value == Int? { length(Operand<Root, V>(path)) }
  /// How many Unicode scalars the text has: `dao_length(…)`.
  public static func length<V>(_ operand: Operand<Root, V>) -> Operand where Value == Int? { Operand(.function(.length, [operand.term])) }

  /// The year of a date in UTC, or `utcOffset` seconds east of UTC: `dao_year("soldAt", 'DATETIME_TEXT', ?)`.
  public static func year<V>(_ path: FieldKeyPath<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    year(Operand<Root, V>(path), utcOffset: utcOffset)
  }
  /// The year of a date in UTC, or `utcOffset` seconds east of UTC: `dao_year(…, 'DATETIME_TEXT', ?)`.
  public static func year<V>(_ operand: Operand<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    Operand(.calendar(.year, operand.term, utcOffset))
  }
  /// The month of a date, 1 to 12, in UTC, or `utcOffset` seconds east of UTC: `dao_month("soldAt", 'DATETIME_TEXT', ?)`.
  public static func month<V>(_ path: FieldKeyPath<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    month(Operand<Root, V>(path), utcOffset: utcOffset)
  }
  /// The month of a date, 1 to 12, in UTC, or `utcOffset` seconds east of UTC: `dao_month(…, 'DATETIME_TEXT', ?)`.
  public static func month<V>(_ operand: Operand<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    Operand(.calendar(.month, operand.term, utcOffset))
  }
  /// The day of a date's month, 1 to 31, in UTC, or `utcOffset` seconds east of UTC: `dao_day("soldAt", 'DATETIME_TEXT', ?)`.
  public static func day<V>(_ path: FieldKeyPath<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    day(Operand<Root, V>(path), utcOffset: utcOffset)
  }
  /// The day of a date's month, 1 to 31, in UTC, or `utcOffset` seconds east of UTC: `dao_day(…, 'DATETIME_TEXT', ?)`.
  public static func day<V>(_ operand: Operand<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    Operand(.calendar(.day, operand.term, utcOffset))
  }
  /// The day of a date's week, 1 for Monday to 7 for Sunday, in UTC, or `utcOffset` seconds east of UTC: `dao_weekday("soldAt",
  /// 'DATETIME_TEXT', ?)`.
  public static func weekday<V>(_ path: FieldKeyPath<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    weekday(Operand<Root, V>(path), utcOffset: utcOffset)
  }
  /// The day of a date's week, 1 for Monday to 7 for Sunday, in UTC, or `utcOffset` seconds east of UTC: `dao_weekday(…, 'DATETIME_TEXT',
  /// ?)`.
  public static func weekday<V>(_ operand: Operand<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    Operand(.calendar(.weekday, operand.term, utcOffset))
  }
  /// The hour of a date's day, 0 to 23, in UTC, or `utcOffset` seconds east of UTC: `dao_hour("soldAt", 'DATETIME_TEXT', ?)`.
  public static func hour<V>(_ path: FieldKeyPath<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    hour(Operand<Root, V>(path), utcOffset: utcOffset)
  }
  /// The hour of a date's day, 0 to 23, in UTC, or `utcOffset` seconds east of UTC: `dao_hour(…, 'DATETIME_TEXT', ?)`.
  public static func hour<V>(_ operand: Operand<Root, V>, utcOffset: Int = 0) -> Operand where Value == Int? {
    Operand(.calendar(.hour, operand.term, utcOffset))
  }
  /// The start of a date's day, week, month or year, in UTC or `utcOffset` seconds east of UTC: `dao_startOfMonth("soldAt",
  /// 'DATETIME_TEXT', ?)`.
  public static func startOf<V>(
    _ period: CalendarPeriod, _ path: FieldKeyPath<Root, V>, utcOffset: Int = 0
  ) -> Operand where Value == V.Unwrapped? { startOf(period, Operand<Root, V>(path), utcOffset: utcOffset) }
  /// When a date's day, week, month or year began: `dao_startOfMonth(…, 'DATETIME_TEXT', ?)`.
  public static func startOf<V>(
    _ period: CalendarPeriod, _ operand: Operand<Root, V>, utcOffset: Int = 0
  ) -> Operand where Value == V.Unwrapped? {
    Operand(.calendar(period.start, operand.term, utcOffset))
  }

  /// Texts, one behind the other with a separator between them. Those that are null are left out: `dao_concat("first", "last", ?)`.
  public static func concat<V, each Other>(
    _ path: FieldKeyPath<Root, V>, _ others: repeat FieldKeyPath<Root, each Other>, separator: String = ""
  ) -> Operand where Value == String {
    concat(Operand<Root, V>(path), repeat Operand<Root, each Other>(each others), separator: separator)
  }
  /// Texts, one behind the other with a separator between them: `dao_concat(…, …, ?)`.
  public static func concat<V, each Other>(
    _ operand: Operand<Root, V>, _ others: repeat Operand<Root, each Other>, separator: String = ""
  ) -> Operand where Value == String {
    var terms = [operand.term]
    for other in repeat each others { terms.append(other.term) }
    return Operand(.concat(terms, separator))
  }

  /// The attribute, or the value where it is null: `coalesce("comment", ?)`.
  public static func coalesce<V>(_ path: FieldKeyPath<Root, V>, _ value: Value) -> Operand where V.Unwrapped == Value {
    Operand(.function(.coalesce, [Root.term(path), Criteria.Term(value)]))
  }
  /// The first attribute, or the second where it is null: `coalesce("nickname", "name")`.
  public static func coalesce<V>(_ path: FieldKeyPath<Root, V>, _ other: FieldKeyPath<Root, Value>) -> Operand
  where V.Unwrapped == Value.Unwrapped {
    Operand(.function(.coalesce, [Root.term(path), Root.term(other)]))
  }

  private func applying(_ function: Function, _ options: Criteria.Term...) -> Operand { Operand(.function(function, [term] + options)) }
}

extension Criteria.Term {
  static func substring(_ text: Criteria.Term, _ start: Int, _ length: Int?) -> Criteria.Term {
    .function(.substring, [text, .integer(start)] + (length.map { [.integer($0)] } ?? []))
  }

  static func concat(_ texts: [Criteria.Term], _ separator: String) -> Criteria.Term {
    .function(.concat, texts + [.value(.text(separator))])
  }

  static func calendar(_ function: Function, _ date: Criteria.Term, _ utcOffset: Int) -> Criteria.Term {
    .function(function, [date, .integer(utcOffset)])
  }

  static func replace(_ text: Criteria.Term, _ part: String, _ other: String) -> Criteria.Term {
    .function(.replace, [text, .value(.text(part)), .value(.text(other))])
  }

  /// An integer as a term.
  static func integer(_ number: Int) -> Criteria.Term { .value(.integer(Int64(number))) }
}
