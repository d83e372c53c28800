/// The two words by which a text column says true and false: `BoolText("Y/N")`, the word for true first.
///
/// | words | written by |
/// |---|---|
/// | `1/0` | programs whose columns hold texts alone |
/// | `true/false` | JavaScript, Java, `True/False` by Python |
/// | `t/f` | Rails before 6, PostgreSQL's exports |
/// | `Y/N`, `yes/no`, `on/off` | older programs, forms, spreadsheets |
///
/// Each in small letters, in capitals, or with a capital first. The words are written as they stand here and read in any case: filters find
/// `y` and `Y` alike, by SQLite's collation `NOCASE`.
public struct BoolText: Sendable, Hashable {
  // One byte, since types are copied for each value that is read. 0 where the words are not known.
  private let number: UInt8

  /// The words for true that programs write, in small letters.
  package static let trueWords = ["1", "true", "t", "yes", "y", "on"]
  /// The words for false, each in the place of its opposite.
  package static let falseWords = ["0", "false", "f", "no", "n", "off"]

  private static let known: [(true: String, false: String)] = zip(trueWords, falseWords).flatMap { isTrue, isFalse in
    let small = (true: isTrue, false: isFalse)
    if isTrue == "1" { return [small] }
    let capitals = (true: isTrue.uppercased(), false: isFalse.uppercased())
    // A single letter that is a capital is both.
    return [small, capitals] + (isTrue.count == 1 ? [] : [(true: isTrue.capitalized, false: isFalse.capitalized)])
  }

  /// The words, with a slash between them.
  ///
  /// Words that are none of those above are a problem of the entity that has them.
  public init(_ words: String) {
    let place = Self.known.firstIndex { "\($0.true)/\($0.false)" == words }
    number = place.map { UInt8($0 + 1) } ?? 0
  }

  /// The words of a declared type's name, ``AttributeType/declaredName``; nil for other names.
  init?(declared name: String) {
    let start = "BOOLEAN_TEXT "
    guard SchemaName.capitals(name).hasPrefix(start) else { return nil }
    self.init(String(name.dropFirst(start.count)))
    if problem != nil { return nil }
  }

  /// What is wrong with the words; nil for known ones.
  package var problem: String? {
    number > 0 ? nil : "the words are not known: write 1/0, true/false, t/f, yes/no, y/n or on/off, in small letters or in capitals"
  }

  private var words: (true: String, false: String) { number > 0 ? Self.known[Int(number) - 1] : Self.known[0] }

  /// Whether they are digits, which have no capitals, and of which a column that is declared `BOOLEAN` makes numbers.
  package var isDigits: Bool { number == 1 }

  /// The word of a value.
  func text(_ value: Bool) -> String { value ? words.true : words.false }

  /// The value of a word, in any case; nil for other texts.
  func value(_ text: String) -> Bool? {
    let words = words
    // Mostly they are written as stated.
    if text == words.true { return true }
    if text == words.false { return false }
    let text = SchemaName.capitals(text)
    return text == SchemaName.capitals(words.true) ? true : text == SchemaName.capitals(words.false) ? false : nil
  }
}

extension BoolText: ExpressibleByStringLiteral {
  /// The words, with a slash between them.
  public init(stringLiteral words: String) { self.init(words) }
}

extension BoolText: CustomStringConvertible {
  /// The words, with a slash between them.
  public var description: String { "\(words.true)/\(words.false)" }
}
