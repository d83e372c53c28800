import DAOCriteria

/// Custom SQL: interpolated values are bound, never pasted.
///
/// ```swift
/// let sql: SQL = "SELECT * FROM zone WHERE name = \(name) AND standardOffset > \(3600)"
/// sql.text        // SELECT * FROM zone WHERE name = ? AND standardOffset > ?
/// ```
///
/// A value is stored as its type does by default; name another form if the column has one: `\(date, as: .date(.unixSeconds))`. Names that
/// are not known beforehand go through `\(identifier: name)`, which quotes them.
public struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The text, with a `?` for each value.
  public private(set) var text: String
  private var values: [(scalar: Criteria.Term, type: AttributeType)] = []

  /// SQL without values.
  public init(stringLiteral value: String) { text = value }

  /// SQL with the values that were interpolated.
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.sql }

  /// Collects text and values.
  public struct Interpolation: StringInterpolationProtocol {
    var sql = SQL(stringLiteral: "")

    /// An empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends SQL text.
    public mutating func appendLiteral(_ literal: String) { sql.text += literal }

    /// Binds a value, in the form that `type` stores.
    public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value, as type: AttributeType = Value.attributeType) {
      sql.text += "?"
      sql.values.append((Criteria.Term(value), type))
    }

    /// Binds a value or null. It exists only so that Swift does not warn of an optional, as in a string.
    public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value?, as type: AttributeType = Value.attributeType) {
      sql.text += "?"
      sql.values.append((Criteria.Term(value), type))
    }

    /// Inserts another piece of SQL with its values.
    public mutating func appendInterpolation(_ other: SQL) {
      sql.text += other.text
      sql.values += other.values
    }

    /// Inserts a name, quoted as an identifier.
    public mutating func appendInterpolation(identifier: String) { sql.text += identifier.quotedIdentifier }
  }

  /// The statement that is sent.
  /// - Throws: ``DAOError/invalidValue(entity:attribute:problem:)`` for a value that has no stored form.
  public func statement() throws -> SQLStatement {
    SQLStatement(
      text,
      try values.enumerated().map { index, value in
        func invalid(_ problem: String) -> DAOError {
          DAOError.invalidValue(entity: "SQL", attribute: "value \(index + 1)", problem: problem)
        }
        switch value.scalar {
        case .value(let scalar):
          do { return try value.type.stored(scalar) } catch { throw invalid("\(error)") }
        case .unstorable(let reason): throw invalid(reason)
        default: throw invalid("is no value")
        }
      })
  }

  /// Equal text and values.
  public static func == (left: SQL, right: SQL) -> Bool {
    left.text == right.text && left.values.count == right.values.count
      && zip(left.values, right.values).allSatisfy { $0.scalar == $1.scalar && $0.type == $1.type }
  }

  /// Feeds the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
