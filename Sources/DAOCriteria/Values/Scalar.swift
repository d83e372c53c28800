import Foundation

/// A value as Swift code means it, before an attribute's type decides how it is stored. Criteria carry scalars, and dynamic entities return
/// them.
///
/// ```swift
/// .where(.field("standardOffset") >= 3600)   // Scalar.integer(3600)
/// row["name"]                                // Scalar.text("Europe/Bratislava")
/// ```
public enum Scalar: Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// Any integer.
  case integer(Int64)
  /// A double.
  case real(Double)
  /// Text.
  case text(String)
  /// Bytes.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// An instant.
  case date(Date)
  /// An exact decimal number.
  case decimal(Decimal)

  /// True for `.null`.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension Scalar: Hashable {
  /// Equality by kind and value; text by its UTF-8 bytes.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch lhs {
    case .null: rhs.isNull
    case .bool(let value): if case .bool(let other) = rhs { value == other } else { false }
    case .integer(let value): if case .integer(let other) = rhs { value == other } else { false }
    case .real(let value): if case .real(let other) = rhs { value == other || (value.isNaN && other.isNaN) } else { false }
    case .text(let value): if case .text(let other) = rhs { value.utf8.elementsEqual(other.utf8) } else { false }
    case .data(let value): if case .data(let other) = rhs { value == other } else { false }
    case .uuid(let value): if case .uuid(let other) = rhs { value == other } else { false }
    case .date(let value): if case .date(let other) = rhs { value == other } else { false }
    case .decimal(let value): if case .decimal(let other) = rhs { value == other } else { false }
    }
  }

  /// Feeds kind and value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.isNaN ? 0 : value)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .data(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    }
  }
}

extension Scalar {
  /// The kinds of scalar, without their values. The shape of a query holds kinds, so that its text can be kept.
  public enum Kind: UInt8, Sendable, Hashable {
    /// See the case of the same name in ``Scalar``.
    case null, bool, integer, real, text, data, uuid, date, decimal
  }

  /// Which kind of value this is.
  @inlinable public var kind: Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .data: .data
    case .uuid: .uuid
    case .date: .date
    case .decimal: .decimal
    }
  }

  /// The value without its kind, exact to the last bit: for digests, which are the same in every process.
  package var exact: StoredValue {
    switch self {
    case .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .data(let value): .blob(value)
    case .uuid(let value): .text(value.uuidString)
    case .date(let value): .real(value.timeIntervalSince1970)
    case .decimal(let value): .text(value.description)
    }
  }
}

extension Scalar.Kind {
  /// The type that holds values of the kind, as text where it can; nil for null.
  package var type: AttributeType? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .data: .data
    case .uuid: .uuid(.text)
    case .date: .date(.iso8601)
    case .decimal: .decimal(.text)
    }
  }
}

extension Scalar: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral
{
  /// `.text`.
  public init(stringLiteral value: String) { self = .text(value) }
  /// `.integer`.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// `.real`.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// `.bool`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `.null`.
  public init(nilLiteral: ()) { self = .null }
}

extension Scalar: CustomStringConvertible {
  /// The value as it is shown in messages.
  public var description: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "\"\(value)\""
    case .data(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString.lowercased()
    case .date(let value): value.formatted(.iso8601)
    case .decimal(let value): "\(value)"
    }
  }
}
