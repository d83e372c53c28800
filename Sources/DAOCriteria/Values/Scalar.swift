import Foundation

/// A value as Swift code means it, before an attribute's type decides how it is stored: what criteria carry and dynamic entities return.
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
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b || (a.isNaN && b.isNaN)
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    default: false
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
