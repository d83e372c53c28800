import Foundation

/// A literal text to find in others, in time proportional to their length (Knuth, Morris, Pratt: Fast Pattern Matching in Strings, 1977).
/// SQLite's `instr` takes the product of both lengths.
struct LiteralSearch: Sendable {
  private let needle: [UInt8]
  // For each byte, how many of the first bytes end before it too: where the search goes on when that byte differs.
  private let borders: [Int32]

  init(_ needle: [UInt8]) {
    self.needle = needle
    var borders = [Int32](repeating: 0, count: needle.count + 1)
    var matched = 0
    for place in needle.indices.dropFirst() {
      while matched > 0, needle[place] != needle[matched] { matched = Int(borders[matched]) }
      if needle[place] == needle[matched] { matched += 1 }
      borders[place + 1] = Int32(matched)
    }
    self.borders = borders
  }

  /// Whether a text has the needle somewhere.
  /// - Parameter goOn: called now and then.
  func isFound(in text: UnsafeBufferPointer<UInt8>, _ goOn: () throws -> Void) rethrows -> Bool {
    try end(in: text, goOn) != nil
  }

  /// Returns the end of the first occurrence of the needle in a text; nil where there is none.
  /// - Parameter goOn: called now and then.
  func end(in text: UnsafeBufferPointer<UInt8>, _ goOn: () throws -> Void) rethrows -> Int? {
    guard let first = needle.first else { return 0 }
    guard let start = text.baseAddress, text.count >= needle.count else { return nil }
    return try needle.withUnsafeBufferPointer { needle in
      var (place, matched) = (0, 0)
      var pause = TextPattern.bytesBetweenCalls
      while place < text.count {
        if place >= pause {
          try goOn()
          pause = place + TextPattern.bytesBetweenCalls
        }
        if matched == 0 {
          guard let found = memchr(start + place, Int32(first), text.count - place) else { return nil }
          place = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(found)) + 1
          matched = 1
        } else if text[place] == needle[matched] {
          place += 1
          matched += 1
        } else {
          matched = Int(borders[matched])
          continue
        }
        if matched == needle.count { return place }
      }
      return nil
    }
  }
}
