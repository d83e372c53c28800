extension DecimalText {
  /// Less than 0 where the left number is the lower one, 0 where they are equal, whatever their zeros are: compared digit by digit, which
  /// takes a fraction of the time that two `Decimal`s take.
  /// - Returns: nil where one of the texts is no number, or has more digits than are certain to fit a `Decimal`.
  package static func order(_ left: String, _ right: String) -> Int? {
    let found: Int?? = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in Self.order(left, right) } ?? nil
    }
    return found ?? nil
  }

  /// The same of the texts' bytes.
  package static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let a = Digits(of: left), let b = Digits(of: right) else { return nil }
    if a.isNegative != b.isNegative { return a.isNegative ? -1 : 1 }
    let order = a.orderOfSizes(b)
    return a.isNegative ? -order : order
  }

  private struct Digits {
    let isNegative: Bool
    private let whole: Slice<UnsafeBufferPointer<UInt8>>
    private let fraction: Slice<UnsafeBufferPointer<UInt8>>

    private static let zero = UInt8(ascii: "0")

    /// Nil for a text that is no number.
    init?(of text: UnsafeBufferPointer<UInt8>) {
      guard text.count <= 36 else { return nil }
      let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
      let digits = text[(isSigned ? 1 : 0)...]
      let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
      let (before, after) = (digits[..<point], digits[min(point + 1, digits.endIndex)...])
      guard !(before.isEmpty && after.isEmpty), before.allSatisfy(Self.isDigit), after.allSatisfy(Self.isDigit) else { return nil }
      whole = before.drop { $0 == Self.zero }
      fraction = after[..<((after.lastIndex { $0 != Self.zero }).map { $0 + 1 } ?? after.startIndex)]
      // There is one zero.
      isNegative = text.first == UInt8(ascii: "-") && !(whole.isEmpty && fraction.isEmpty)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    func orderOfSizes(_ other: Digits) -> Int {
      if whole.count != other.whole.count { return whole.count < other.whole.count ? -1 : 1 }
      if let order = Self.order(whole, other.whole) ?? Self.order(fraction, other.fraction) { return order }
      return fraction.count == other.fraction.count ? 0 : fraction.count < other.fraction.count ? -1 : 1
    }

    /// By the first digit that is another; nil where one begins with the other.
    private static func order(_ a: Slice<UnsafeBufferPointer<UInt8>>, _ b: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
      for (a, b) in zip(a, b) where a != b { return a < b ? -1 : 1 }
      return nil
    }
  }
}
