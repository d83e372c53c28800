/// Sees the words of a text, one after the other.
protocol WordVisitor: AnyObject {
  /// Sees a word, from one byte of the text to another.
  /// - Returns: false where no more words are needed.
  func visit(_ start: Int, _ end: Int) throws -> Bool
}
