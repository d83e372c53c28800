/// The words of a text, as SQLite's tokenizer `unicode61 remove_diacritics 2` has them, character by character: equal to the words in a
/// store's search table.
///
/// A word is a run of letters, digits and characters for private use, by the Unicode tables of SQLite, for which characters that came later
/// are letters too; the marks that it drops go along. It is in lower case, and Latin letters are without their accents.
package enum Words {
  /// One word of a text.
  package struct Word {
    /// Its folded form in UTF-8.
    package let folded: [UInt8]
    /// The range of the word in the text.
    package let range: Range<String.UnicodeScalarView.Index>
  }

  /// SQLite keeps no more bytes of a word.
  private static let maximumLength = 32_768

  /// The words, in order.
  package static func of(_ text: String) -> [Word] {
    var words: [Word] = []
    let scalars = text.unicodeScalars
    var start: String.UnicodeScalarView.Index?
    var folded: [UInt8] = []
    func end(at place: String.UnicodeScalarView.Index) {
      guard let from = start else { return }
      words.append(Word(folded: Array(folded.prefix(maximumLength)), range: from..<place))
      start = nil
      folded.removeAll(keepingCapacity: true)
    }
    for (place, scalar) in zip(scalars.indices, scalars) {
      if !isPart(scalar), start == nil || !WordScalars.isDroppedMark(scalar) {
        end(at: place)
      } else {
        if start == nil { start = place }
        if !WordScalars.isDroppedMark(scalar) { folded += fold(scalar).utf8 }
      }
    }
    end(at: scalars.endIndex)
    return words
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return scalar.properties.isAlphabetic || 0x30...0x39 ~= scalar.value }
    return !WordScalars.isSeparator(scalar)
  }

  private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if 0x41...0x5A ~= scalar.value { return Unicode.Scalar(UInt8(scalar.value) + 0x20) }
    return scalar.value < 0x80 ? scalar : WordScalars.folded[scalar] ?? scalar
  }
}
