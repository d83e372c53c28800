/// The escapes in the texts of JSON (RFC 8259, section 7).
enum JSONEscapes {
  /// The text of bytes whose escapes were checked.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    func hexadecimal() -> UInt32 {
      let unit = bytes[position..<position + 4].reduce(UInt32(0)) { $0 << 4 | UInt32(digit($1) ?? 0) }
      position += 4
      return unit
    }
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "\\"), position < bytes.endIndex else {
        text.append(byte)
        continue
      }
      let letter = bytes[position]
      position += 1
      if letter == UInt8(ascii: "u") {
        var unit = hexadecimal()
        if 0xD800..<0xDC00 ~= unit {
          position += 2
          unit = 0x10000 + (unit - 0xD800) << 10 + (hexadecimal() - 0xDC00)
        }
        if let scalar = Unicode.Scalar(unit) { text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter }
      } else {
        text.append(simple(letter) ?? letter)
      }
    }
    return text
  }

  /// The byte that an escape of one letter means; nil where there is no such escape.
  static func simple(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "r"): 13
    case UInt8(ascii: "t"): 9
    default: nil
    }
  }

  /// The value of a hexadecimal digit; nil for any other byte.
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
