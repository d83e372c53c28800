/// The words that describe everything a statement's SQL depends on: equal words mean equal SQL.
///
/// They are written again at each call and are therefore cheap: numbers, or short texts. The words are unambiguous: each part of variable
/// length is preceded by its length.
@usableFromInline
package struct ShapeWords: Equatable {
  // Read at each lookup of a statement, as is all that is inlined here.
  @usableFromInline private(set) var words: [UInt64] = []

  init() { words.reserveCapacity(32) }

  mutating func add(_ number: Int) { words.append(UInt64(bitPattern: Int64(number))) }

  mutating func add(_ flag: Bool) { words.append(flag ? 1 : 0) }

  /// A text of up to seven bytes is one word, with its length in the top byte; a longer one is its length and as many words as it takes.
  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var place = 0
      if bytes.count > 7 {
        words.append(0xFF << 56 | UInt64(bytes.count))
        while place + 8 <= bytes.count {
          words.append(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
          place += 8
        }
      }
      var rest = UInt64(bytes.count - place)
      for place in place..<place + 7 { rest = rest << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
      words.append(rest)
    }
  }

  mutating func add(_ path: FieldPath) {
    add(path.first)
    add(path.rest.count)
    for name in path.rest { add(name) }
  }

  /// A hash: a multiplication a word, a third of what `Hasher` takes.
  ///
  /// A sender of criteria can make two that collide; then both are compared at each use, at most as many as a cache holds.
  @inlinable package var hash: Int {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for word in words {
      let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      hash = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
    }
    return Int(truncatingIfNeeded: hash)
  }

  /// Compares word by word.
  @inlinable package static func == (left: ShapeWords, right: ShapeWords) -> Bool { left.words == right.words }
}
