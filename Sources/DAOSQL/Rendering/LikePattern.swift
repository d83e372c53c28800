import DAOCriteria

/// A pattern of `like`, ready to be held against many texts: `*` stands for any characters, `?` for one, and a backslash takes the next one
/// literally. Texts are bytes of UTF-8, NUL among them.
///
/// SQLite's own GLOB and LIKE end a text at its first NUL.
package final class LikePattern {
  private enum Token {
    case literal(UInt8)
    case oneScalar
    case anything
  }

  private let tokens: [Token]

  /// Reads a pattern.
  package init(_ pattern: some Sequence<UInt8>) {
    var tokens: [Token] = []
    var isEscaped = false
    for byte in pattern {
      switch byte {
      case _ where isEscaped:
        tokens.append(.literal(byte))
        isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "*"): tokens.append(.anything)
      case UInt8(ascii: "?"): tokens.append(.oneScalar)
      default: tokens.append(.literal(byte))
      }
    }
    // A backslash at the very end has nothing to escape and stands for itself.
    if isEscaped { tokens.append(.literal(UInt8(ascii: "\\"))) }
    self.tokens = tokens
  }

  /// Whether a whole text fits. Going back to the last `*` alone is enough, so the time is at most that of text times pattern.
  package func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (place, token) = (0, 0)
    var last: (star: Int, place: Int)?
    while place < text.count {
      if token < tokens.count {
        switch tokens[token] {
        case .anything:
          last = (token, place)
          token += 1
          continue
        case .oneScalar:
          place = Self.next(place, text)
          token += 1
          continue
        case .literal(let byte):
          if text[place] == byte {
            place += 1
            token += 1
            continue
          }
        }
      }
      guard let (star, from) = last else { return false }
      place = Self.next(from, text)
      last = (star, place)
      token = star + 1
    }
    return tokens[token...].allSatisfy { if case .anything = $0 { true } else { false } }
  }

  /// Where the scalar after the one at a place begins.
  private static func next(_ place: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
    var place = place + 1
    while place < text.count, text[place] & 0xC0 == 0x80 { place += 1 }
    return place
  }
}
