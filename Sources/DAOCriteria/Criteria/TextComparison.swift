extension Criteria {
  /// The way a text matches a pattern.
  public enum TextComparison: String, Sendable, Hashable, CaseIterable {
    /// The whole text, where `*` stands for any characters, `?` for one, and a backslash takes the next one literally.
    case like
    /// The pattern is somewhere in the text.
    case contains
    /// The text begins with the pattern.
    case beginsWith
    /// The text ends with the pattern.
    case endsWith
  }
}
