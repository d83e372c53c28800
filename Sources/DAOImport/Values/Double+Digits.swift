extension Double {
  /// The number that decimal digits say. `Double` itself also reads hexadecimal ones, "nan", and infinity where a number is too large.
  init?(digits text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    guard let value = Double(text), value.isFinite else { return nil }
    self = value
  }
}
