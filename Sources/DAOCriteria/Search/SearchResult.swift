extension Criteria {
  /// A value that a search provides for a matching row, for orders and reports.
  public enum SearchResult: Sendable, Hashable {
    /// The relevance of the row by bm25: the smaller, the better; null where the row does not match.
    case relevance
    /// An attribute's whole text, with the words that were found between two marks. A text with a NUL in it stays as it is.
    case highlight(FieldPath, start: String, end: String)
    /// The part of an attribute's text, of at most `size` words (at most 64), that has the most found words, with marks around them, and
    /// `ellipsis` where text was left out.
    case snippet(FieldPath, start: String, end: String, ellipsis: String, words: Int)

    /// The attribute that is shown.
    public var path: FieldPath? {
      switch self {
      case .relevance: nil
      case .highlight(let path, _, _), .snippet(let path, _, _, _, _): path
      }
    }

    /// The kind's name.
    public var name: String {
      switch self {
      case .relevance: "relevance"
      case .highlight: "highlight"
      case .snippet: "snippet"
      }
    }

    /// The values in it, which become bindings.
    package var values: [Scalar] {
      switch self {
      case .relevance: []
      case .highlight(_, let start, let end): [.text(start), .text(end)]
      case .snippet(_, let start, let end, let ellipsis, let words):
        [.text(start), .text(end), .text(ellipsis), .integer(Int64(words))]
      }
    }
  }
}
