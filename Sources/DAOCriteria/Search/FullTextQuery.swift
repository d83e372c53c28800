/// A full-text search: the words to find in texts, as plain values.
///
/// ```swift
/// .match(\.comment, "summer time")                  // both words, in any order
/// .match(\.comment, .all("summer ti", prefix: true))   // as it is being typed
/// .match(\.comment, .any("summer winter"))          // one of them at least
/// .match(\.comment, .phrase("summer time"))         // one after the other
/// ```
///
/// Text that a person types is only ever words: it has no operators, and nothing in it is an error. Words are runs of letters and digits;
/// everything else parts them. They are equal without regard to case and to the accents of Latin letters: `Škoda` is `skoda`. A text
/// without a word, such as an empty one, finds nothing.
public struct FullTextQuery: Sendable, Hashable {
  /// The arrangement that the words must have in a text.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// All of them, anywhere.
    case all
    /// One of them at least.
    case any
    /// All of them, one after the other, in one attribute.
    case phrase
  }

  /// The text with the words to find. More than 20,000 bytes are refused.
  public let text: String
  /// The arrangement that the words must have.
  public let kind: Kind
  /// Whether the last word may be the beginning of one.
  public let isPrefix: Bool

  /// A query for the words of a text.
  public init(_ text: String, _ kind: Kind, prefix isPrefix: Bool = false) {
    self.text = text
    self.kind = kind
    self.isPrefix = isPrefix
  }

  /// All the words of a text, anywhere: `"summer" AND "time"`; with `prefix`, `"summer" AND "ti" *`.
  public static func all(_ text: String, prefix: Bool = false) -> FullTextQuery { FullTextQuery(text, .all, prefix: prefix) }
  /// One word of the text at least: `"summer" OR "winter"`.
  public static func any(_ text: String, prefix: Bool = false) -> FullTextQuery { FullTextQuery(text, .any, prefix: prefix) }
  /// The words of a text, one after the other: `"summer time"`.
  public static func phrase(_ text: String, prefix: Bool = false) -> FullTextQuery { FullTextQuery(text, .phrase, prefix: prefix) }

  /// Equality by kind and by the text's bytes.
  public static func == (left: FullTextQuery, right: FullTextQuery) -> Bool {
    left.kind == right.kind && left.isPrefix == right.isPrefix && left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Feeds kind and bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(isPrefix)
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension FullTextQuery {
  /// The words, each as the text has it.
  package var words: [Substring] { Words.of(text).map { Substring(text.unicodeScalars[$0.range]) } }

  /// The words, those that are alike once; the last always, since it may be the beginning of one.
  package var differentWords: [Substring] {
    let words = Words.of(text)
    var seen: Set<[UInt8]> = isPrefix ? [] : words.last.map { [$0.folded] } ?? []
    let before = words.dropLast().filter { seen.insert($0.folded).inserted }
    return (before + words.suffix(1)).map { Substring(text.unicodeScalars[$0.range]) }
  }
}

extension FullTextQuery: ExpressibleByStringLiteral {
  /// All the words of the text.
  public init(stringLiteral text: String) { self.init(text, .all) }
}
