import Foundation

/// A pattern that texts must match, made ready once for many texts.
package final class TextPattern: Sendable {
  private let match: Criteria.TextComparison
  private let isFolded: Bool
  private let form: Form
  // The composed form without regard to case, where it is another.
  private let composed: TextPattern?
  private let mayCompose: Bool

  private enum Form: Sendable {
    case like(LikePattern)
    case contains(LiteralSearch)
    case begins([UInt8]), ends([UInt8])
  }

  /// A pattern; without regard to case as ``CaseFolding`` has it.
  package convenience init(_ match: Criteria.TextComparison, _ pattern: String, caseSensitive: Bool) {
    self.init(match, pattern, isFolded: !caseSensitive, isComposed: false)
  }

  private init(_ match: Criteria.TextComparison, _ pattern: String, isFolded: Bool, isComposed: Bool) {
    self.match = match
    self.isFolded = isFolded
    let bytes = Array((isFolded ? CaseFolding.fold(pattern) : pattern).utf8)
    form =
      switch match {
      case .like: .like(LikePattern(bytes))
      case .contains: .contains(LiteralSearch(bytes))
      case .beginsWith: .begins(bytes)
      case .endsWith: .ends(bytes)
      }
    mayCompose = isFolded && !isComposed
    let composition = mayCompose ? pattern.precomposedStringWithCanonicalMapping : pattern
    composed =
      mayCompose && !composition.utf8.elementsEqual(pattern.utf8)
      ? TextPattern(match, composition, isFolded: true, isComposed: true) : nil
  }

  /// The number of bytes of a text that are examined between two calls of the function that decides whether to continue.
  static let bytesBetweenCalls = 1 << 16

  /// Whether a text fits.
  package func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool { fits(text, goOn: {}) }

  /// Whether a text fits.
  /// - Parameter goOn: called now and then while a long text is examined; its error ends the examination.
  package func fits(_ text: UnsafeBufferPointer<UInt8>, goOn: () throws -> Void) rethrows -> Bool {
    guard isFolded else { return try fits(text, characters: [], goOn) }
    var highest: UInt8 = 0
    for byte in text { highest = max(highest, byte) }
    if highest < 0x80 { return try fitsASCII(text, goOn) || composed?.fitsASCII(text, goOn) == true }
    if try fitsFolded(text, goOn) { return true }
    // Text below U+0300 is composed already.
    guard mayCompose, highest >= 0xCC || composed != nil else { return false }
    if text.count > Self.bytesBetweenCalls { try goOn() }
    let string = String(decoding: text, as: UTF8.self)
    var composition = string.precomposedStringWithCanonicalMapping
    if composed == nil, composition.utf8.elementsEqual(string.utf8) { return false }
    return try composition.withUTF8 { try (composed ?? self).fitsFolded($0, goOn) }
  }

  /// How many steps it takes to hold the pattern against a text; see ``RunBudget``.
  package func steps(bytes: Int) -> Int {
    guard case .like(let pattern) = form else { return bytes / RunBudget.bytesPerStep }
    return bytes * pattern.words / RunBudget.bytesPerStep
  }

  private func fitsASCII(_ text: UnsafeBufferPointer<UInt8>, _ goOn: () throws -> Void) rethrows -> Bool {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { folded in
      for (place, byte) in text.enumerated() { folded[place] = 0x41...0x5A ~= byte ? byte | 0x20 : byte }
      return try fits(UnsafeBufferPointer(folded), characters: [], goOn)
    }
  }

  private func fitsFolded(_ text: UnsafeBufferPointer<UInt8>, _ goOn: () throws -> Void) rethrows -> Bool {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count + 8)
    var characters: [Range<Int>] = []
    var pause = Self.bytesBetweenCalls
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let start = folded.count
      if start >= pause {
        try goOn()
        pause += Self.bytesBetweenCalls
      }
      CaseFolding.append(scalar, to: &folded)
      // Several characters of one: more bytes than the first of them has.
      if scalar.value >= 0x80, folded.count > start + Self.length(ofCharacterBeginning: folded[start]) {
        characters.append(start..<folded.count)
      }
    }
    return try folded.withUnsafeBufferPointer { try fits($0, characters: characters, goOn) }
  }

  private static func length(ofCharacterBeginning byte: UInt8) -> Int { byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

  private func fits(_ text: UnsafeBufferPointer<UInt8>, characters: [Range<Int>], _ goOn: () throws -> Void) rethrows -> Bool {
    switch form {
    case .like(let pattern): try pattern.fits(text, characters: characters, goOn)
    case .contains(let search): try search.isFound(in: text, goOn)
    case .begins(let bytes): text.count >= bytes.count && text.prefix(bytes.count).elementsEqual(bytes)
    case .ends(let bytes): text.count >= bytes.count && text.suffix(bytes.count).elementsEqual(bytes)
    }
  }
}
