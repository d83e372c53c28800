import Foundation

/// What a text has to fit, made ready once for many texts.
package final class TextPattern: Sendable {
  private let match: TextMatch
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
  package convenience init(_ match: TextMatch, _ pattern: String, caseSensitive: Bool) {
    self.init(match, pattern, isFolded: !caseSensitive, isComposed: false)
  }

  private init(_ match: TextMatch, _ pattern: String, isFolded: Bool, isComposed: Bool) {
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

  /// Whether a text fits.
  package func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isFolded else { return fits(text, characters: []) }
    var highest: UInt8 = 0
    for byte in text { highest = max(highest, byte) }
    if highest < 0x80 { return fitsASCII(text) || composed?.fitsASCII(text) == true }
    if fitsFolded(text) { return true }
    // What is below U+0300 is composed as it is.
    guard mayCompose, highest >= 0xCC || composed != nil else { return false }
    let string = String(decoding: text, as: UTF8.self)
    var composition = string.precomposedStringWithCanonicalMapping
    if composed == nil, composition.utf8.elementsEqual(string.utf8) { return false }
    return composition.withUTF8 { (composed ?? self).fitsFolded($0) }
  }

  /// How many steps it takes to hold the pattern against a text; see ``RunBudget``.
  package func steps(bytes: Int) -> Int {
    guard case .like(let pattern) = form else { return bytes / RunBudget.bytesPerStep }
    return bytes * pattern.words / RunBudget.bytesPerStep
  }

  private func fitsASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { folded in
      for (place, byte) in text.enumerated() { folded[place] = 0x41...0x5A ~= byte ? byte | 0x20 : byte }
      return fits(UnsafeBufferPointer(folded), characters: [])
    }
  }

  private func fitsFolded(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count + 8)
    var characters: [Range<Int>] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let start = folded.count
      CaseFolding.append(scalar, to: &folded)
      // Several characters of one: more bytes than the first of them has.
      if scalar.value >= 0x80, folded.count > start + Self.length(ofCharacterBeginning: folded[start]) {
        characters.append(start..<folded.count)
      }
    }
    return folded.withUnsafeBufferPointer { fits($0, characters: characters) }
  }

  private static func length(ofCharacterBeginning byte: UInt8) -> Int { byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

  private func fits(_ text: UnsafeBufferPointer<UInt8>, characters: [Range<Int>]) -> Bool {
    switch form {
    case .like(let pattern): pattern.fits(text, characters: characters)
    case .contains(let search): search.isFound(in: text)
    case .begins(let bytes): text.count >= bytes.count && text.prefix(bytes.count).elementsEqual(bytes)
    case .ends(let bytes): text.count >= bytes.count && text.suffix(bytes.count).elementsEqual(bytes)
    }
  }
}
