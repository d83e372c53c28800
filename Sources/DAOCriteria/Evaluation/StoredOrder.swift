extension StoredValue {
  /// Less than 0 where this value comes first, 0 where they are equal. Nulls come before numbers, then text by its bytes, then bytes.
  /// Decimals kept as text are ordered as numbers.
  func compare(_ other: StoredValue, as type: AttributeType) -> Int {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): return Self.order(a, b)
    case (.real(let a), .real(let b)): return Self.order(a, b)
    case (.integer(let a), .real(let b)): return Self.exactOrder(a, b)
    case (.real(let a), .integer(let b)): return -Self.exactOrder(b, a)
    case (.text(let a), .text(let b)):
      if type == .decimal(.text), let a = DecimalText.decimal(a), let b = DecimalText.decimal(b) { return Self.order(a, b) }
      return Self.order(a.utf8, b.utf8)
    case (.blob(let a), .blob(let b)): return Self.order(a, b)
    default: return Self.order(rank, other.rank)
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }

  private static func order<Bytes: Sequence<UInt8>>(_ a: Bytes, _ b: Bytes) -> Int {
    a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }

  /// Exactly: not every integer is a double.
  private static func exactOrder(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b)
    return a == whole ? order(Double(whole), b) : order(a, whole)
  }
}
