import DAOCriteria

/// A hash of what a criteria's SQL depends on, made at each call: a multiplication a word, a third of what `Hasher` takes.
///
/// It lives as long as the process, so platforms may differ. Whoever chooses criteria can make two that collide; then both are compared at
/// each use, and no more than a cache holds.
struct ShapeHash {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func combine(_ number: Int) { mix(UInt64(bitPattern: Int64(number))) }

  mutating func combine(_ flag: Bool) { mix(flag ? 1 : 2) }

  mutating func combine(_ text: String) {
    var text = text
    let count = text.utf8.count
    mix(UInt64(count))
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var place = 0
      while place + 8 <= count {
        mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      var rest: UInt64 = 0
      while place < count {
        rest = rest << 8 | UInt64(bytes[place])
        place += 1
      }
      mix(rest)
    }
  }

  mutating func combine(_ path: FieldPath) {
    combine(path.first)
    if path.rest.isEmpty { return }
    combine(path.rest.count)
    for name in path.rest { combine(name) }
  }

  private mutating func mix(_ word: UInt64) {
    let product = (value ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
  }
}
