/// A pattern of `like`: `*` stands for any characters, `?` for one, and a backslash takes the next one literally. Texts are bytes of UTF-8,
/// NUL among them; SQLite's own GLOB and LIKE end a text at its first NUL.
///
/// All places of the pattern that a text may have come to are kept at once, one bit each (Baeza-Yates, Gonnet: A New Approach to Text
/// Searching, 1992), so that a byte of the text costs one step for every 64 bytes of the pattern, whatever is in them.
struct LikePattern: Sendable {
  /// How many tokens there are: literal bytes and `?`.
  private let count: Int
  /// How many words hold a bit for each token, and one for the end.
  let words: Int
  // The tokens that take a byte: those of each byte value in turn.
  private let takers: [UInt64]
  // The tokens that stand behind a `*`, those that are a `?`, and those that stand behind one.
  private let loops: [UInt64]
  private let ones: [UInt64]
  private let behindOnes: [UInt64]

  /// Reads a pattern.
  init(_ pattern: some Sequence<UInt8>) {
    var literals: [UInt8?] = []
    var stars: Set<Int> = []
    var isEscaped = false
    for byte in pattern {
      switch byte {
      case _ where isEscaped:
        literals.append(byte)
        isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "*"): stars.insert(literals.count)
      case UInt8(ascii: "?"): literals.append(nil)
      default: literals.append(byte)
      }
    }
    // A backslash at the very end has nothing to escape and stands for itself.
    if isEscaped { literals.append(UInt8(ascii: "\\")) }

    let words = literals.count / 64 + 1
    var takers = [UInt64](repeating: 0, count: 256 * words)
    var (loops, ones, behindOnes) = (
      [UInt64](repeating: 0, count: words), [UInt64](repeating: 0, count: words), [UInt64](repeating: 0, count: words)
    )
    for (place, literal) in literals.enumerated() {
      let (word, bit) = (place / 64, UInt64(1) << UInt64(place % 64))
      if let literal {
        takers[Int(literal) * words + word] |= bit
      } else {
        // One character begins with a byte that continues no other; the rest of it stays where it has led.
        for byte in 0..<256 where byte & 0xC0 != 0x80 { takers[byte * words + word] |= bit }
        ones[word] |= bit
        behindOnes[(place + 1) / 64] |= 1 << UInt64((place + 1) % 64)
      }
    }
    for place in stars { loops[place / 64] |= 1 << UInt64(place % 64) }
    count = literals.count
    (self.words, self.takers, self.loops, self.ones, self.behindOnes) = (words, takers, loops, ones, behindOnes)
  }

  /// Whether a whole text fits.
  /// - Parameters:
  ///   - characters: runs of several characters that were one before the text was folded; a `?` may stand for each as a whole.
  ///   - goOn: called now and then.
  func fits(_ text: UnsafeBufferPointer<UInt8>, characters: [Range<Int>] = [], _ goOn: () throws -> Void) rethrows -> Bool {
    try words == 1 ? fitsOneWord(text, characters, goOn) : fitsWords(text, characters, goOn)
  }

  private func fitsOneWord(
    _ text: UnsafeBufferPointer<UInt8>, _ characters: [Range<Int>], _ goOn: () throws -> Void
  ) rethrows -> Bool {
    try takers.withUnsafeBufferPointer { takers in
      let (loops, ones, behindOnes, end) = (loops[0], ones[0], behindOnes[0], UInt64(1) << UInt64(count))
      var places: UInt64 = 1
      var before = places
      var next = characters.makeIterator()
      var character = next.next()
      var pause = TextPattern.bytesBetweenCalls
      for (place, byte) in text.enumerated() {
        if place == pause {
          try goOn()
          pause += TextPattern.bytesBetweenCalls
        }
        // The last `*` matches whatever follows.
        if places & loops & end != 0 { return true }
        // A `?` may still take the whole of a character that its parts did not lead on.
        if places == 0, character.map({ place <= $0.lowerBound }) ?? true { return false }
        if place == character?.lowerBound { before = places }
        let kept = byte & 0xC0 == 0x80 ? loops | behindOnes : loops
        places = places & kept | (places & takers[Int(byte)]) << 1
        if let range = character, place + 1 == range.upperBound {
          places |= (before & ones) << 1
          character = next.next()
        }
      }
      return places & end != 0
    }
  }

  private func fitsWords(
    _ text: UnsafeBufferPointer<UInt8>, _ characters: [Range<Int>], _ goOn: () throws -> Void
  ) rethrows -> Bool {
    var places = [UInt64](repeating: 0, count: words)
    places[0] = 1
    var before = places
    let end = UInt64(1) << UInt64(count % 64)
    var next = characters.makeIterator()
    var character = next.next()
    let step = max(1, TextPattern.bytesBetweenCalls / 4 / words)
    var pause = step
    for (place, byte) in text.enumerated() {
      if place == pause {
        try goOn()
        pause += step
      }
      if places[words - 1] & loops[words - 1] & end != 0 { return true }
      if place == character?.lowerBound { before = places }
      let isContinued = byte & 0xC0 == 0x80
      var carried: UInt64 = 0
      var some: UInt64 = 0
      for word in 0..<words {
        let taken = places[word] & takers[Int(byte) * words + word]
        let kept = places[word] & (isContinued ? loops[word] | behindOnes[word] : loops[word])
        places[word] = kept | taken << 1 | carried
        carried = taken >> 63
        some |= places[word]
      }
      if let range = character, place + 1 == range.upperBound {
        carried = 0
        for word in 0..<words {
          let taken = before[word] & ones[word]
          places[word] |= taken << 1 | carried
          carried = taken >> 63
          some |= places[word]
        }
        character = next.next()
      }
      if some == 0, character.map({ place < $0.lowerBound }) ?? true { return false }
    }
    return places[words - 1] & end != 0
  }
}
