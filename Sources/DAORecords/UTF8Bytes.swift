/// Checks of bytes that are to be text.
enum UTF8Bytes {
  /// Whether bytes are UTF-8: no overlong form, no surrogate, nothing after U+10FFFF (Unicode 16, table 3-7).
  static func areValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    func isContinued(_ first: ClosedRange<UInt8>, _ count: Int) -> Bool {
      guard position + count < bytes.count, first ~= bytes[position + 1] else { return false }
      for other in 1..<count where bytes[position + 1 + other] & 0xC0 != 0x80 { return false }
      position += count + 1
      return true
    }
    while position < bytes.count {
      if bytes[position] < 0x80 {
        position += 1
        continue
      }
      let isSound =
        switch bytes[position] {
        case 0xC2...0xDF: isContinued(0x80...0xBF, 1)
        case 0xE0: isContinued(0xA0...0xBF, 2)
        case 0xED: isContinued(0x80...0x9F, 2)
        case 0xE1...0xEF: isContinued(0x80...0xBF, 2)
        case 0xF0: isContinued(0x90...0xBF, 3)
        case 0xF4: isContinued(0x80...0x8F, 3)
        case 0xF1...0xF3: isContinued(0x80...0xBF, 3)
        default: false
        }
      if !isSound { return false }
    }
    return true
  }
}
