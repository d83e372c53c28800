import Foundation

extension StoredValue {
  /// Less than 0 where this value comes first, 0 where they are equal. Nulls come before numbers, then text by its bytes, then bytes.
  /// Decimals kept as text are ordered as numbers, and dates with an offset as instants; they come before texts that are none. Numbers that
  /// are read as decimals are ordered as these, and texts with a collation by it.
  package func compare(_ other: StoredValue, as type: AttributeType) -> Int {
    OrderedValue(self, as: type).compare(OrderedValue(other, as: type))
  }

  /// The same for all values that ``compare(_:as:)`` finds equal: 1 and 1.0, and decimals and instants kept as text, however they are
  /// spelled, and texts of which a collation sees no difference.
  package func identity(as type: AttributeType) -> StoredValue {
    // Values with one spelling are compared by their bytes.
    let isReal = if case .real = self { true } else { false }
    guard type.isEqualByOrder || isReal else { return self }
    switch OrderedValue(self, as: type) {
    case .real(let value): return Int64(exactly: value).map { .integer($0) } ?? .real(value)
    case .number(var number):
      NSDecimalCompact(&number)
      return .text(number.description)
    case .instant(let instant): return .text("\(instant.seconds).\(instant.nanoseconds)")
    case .text(let text) where type.order == .nocase || type.order == .rtrim: return .text(text)
    default: return self
    }
  }
}

extension String {
  /// The text as SQLite's `NOCASE` compares it, byte by byte: ASCII letters are small, and of a text with a NUL the length alone counts
  /// after that (`nocaseCollatingFunc` in its main.c).
  fileprivate var withoutCase: String {
    let small = String(decoding: utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    guard let end = small.utf8.firstIndex(of: 0) else { return small }
    return String(small[..<end]) + String(repeating: "\0", count: small.utf8.distance(from: end, to: small.utf8.endIndex))
  }

  /// The text as SQLite's `RTRIM` compares it (`rtrimCollFunc` in its main.c).
  package var withoutBlanksAtEnd: String {
    guard utf8.last == UInt8(ascii: " ") else { return self }
    return String(decoding: utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed(), as: UTF8.self)
  }
}

/// A stored value ready to be compared with many others: of a decimal kept as text, the number, of a number that is read as a decimal, the
/// double nearest to that, and of a date, the instant.
enum OrderedValue {
  case null
  case integer(Int64)
  case real(Double)
  case number(Decimal)
  case instant(Instant)
  case text(String)
  case blob(Data)

  init(_ value: StoredValue, as type: AttributeType) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value):
      self = .real(value)
      if case .rounded(let scale) = type.order, let rounded = RoundedNumber(value, scale: scale) { self = .real(rounded.nearestDouble) }
    case .text(let value):
      switch type.order {
      case .decimal: self = DecimalText.decimal(value).map { .number($0) } ?? .text(value)
      case .instant: self = DatePattern.exactInstant(value).map { .instant($0) } ?? .text(value)
      case .nocase: self = .text(value.withoutCase)
      case .rtrim: self = .text(value.withoutBlanksAtEnd)
      case .rounded, nil: self = .text(value)
      }
    case .blob(let value): self = .blob(value)
    }
  }

  /// Less than 0 where this value comes first, 0 where they are equal.
  func compare(_ other: OrderedValue) -> Int {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): Self.order(a, b)
    case (.real(let a), .real(let b)): Self.order(a, b)
    case (.integer(let a), .real(let b)): Self.exactOrder(a, b)
    case (.real(let a), .integer(let b)): -Self.exactOrder(b, a)
    case (.number(let a), .number(let b)): Self.order(a, b)
    case (.instant(let a), .instant(let b)): Self.order(a, b)
    case (.text(let a), .text(let b)): Self.order(a, b)
    case (.blob(let a), .blob(let b)): a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    default: Self.order(rank, other.rank)
    }
  }

  /// The same in a direction, nulls where they are to stand.
  func compare(_ other: OrderedValue, _ direction: Criteria.Ordering.Direction, nulls: Nulls) -> Int {
    if isNull != other.isNull { return isNull == (nulls == .first) ? -1 : 1 }
    return direction == .ascending ? compare(other) : -compare(other)
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .number, .instant: 2
    case .text: 3
    case .blob: 4
    }
  }

  private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }

  /// By the bytes of their UTF-8.
  private static func order(_ a: String, _ b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        // An empty text may have no address.
        guard let left = a.baseAddress, let right = b.baseAddress else { return Self.order(a.count, b.count) }
        let order = Int(memcmp(left, right, min(a.count, b.count)))
        return order == 0 ? Self.order(a.count, b.count) : order
      }
    }
  }

  /// Exactly: not every integer is a double.
  private static func exactOrder(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b)
    return a == whole ? order(Double(whole), b) : order(a, whole)
  }
}
