extension Scalar {
  /// Whether it is a text in which SQLite reads a number as a whole: `"1997"`, `" -1.5e3 "`. A column of numbers has it compared as that
  /// number.
  package var isNumberInText: Bool {
    guard case .text(var text) = self else { return false }
    return text.withUTF8 { bytes in
      var place = 0
      /// Passes over one byte, if it matches.
      func takeOne(_ isSuch: (UInt8) -> Bool) -> Bool {
        guard place < bytes.count, isSuch(bytes[place]) else { return false }
        place += 1
        return true
      }
      /// Passes over all bytes that match, and returns whether there were any.
      func take(_ isSuch: (UInt8) -> Bool) -> Bool {
        let start = place
        while takeOne(isSuch) {}
        return place > start
      }
      func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
      func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
      func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

      _ = take(isBlank)
      _ = takeOne(isSign)
      var hasDigits = take(isDigit)
      if takeOne({ $0 == UInt8(ascii: ".") }), take(isDigit) { hasDigits = true }
      if !hasDigits { return false }
      if takeOne({ $0 | 0x20 == UInt8(ascii: "e") }) {
        _ = takeOne(isSign)
        if !take(isDigit) { return false }
      }
      _ = take(isBlank)
      return place == bytes.count
    }
  }
}
