import DAOCriteria

/// The tokens of a statement, as SQLite reads them (sqlite.org/lang_keywords.html, sqlite.org/lang_comment.html).
///
/// Only as much as it takes to find the parts of a `CREATE TABLE`: names, keywords, parentheses and commas. Everything else is passed on as
/// it is written.
package struct SQLTokens {
  enum Kind: Equatable {
    /// A name or a keyword without quotes.
    case word
    /// A name in `"…"`, `` `…` `` or `[…]`.
    case quoted
    /// A text in `'…'`.
    case text
    /// A sign: a parenthesis, a comma, an operator, a part of a number.
    case sign
  }

  package struct Token: Equatable {
    let kind: Kind
    package let text: Substring

    /// Whether it is this keyword; a quoted name is none.
    package func isWord(_ keyword: String) -> Bool { kind == .word && SchemaName.same(text, keyword) }
    package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

    /// The name without its quotes. SQLite takes a text in single quotes for a name where a name has to be.
    package var name: String {
      switch kind {
      case .word, .sign: return String(text)
      case .quoted, .text:
        // By scalars: a quote and the accent after it are one `Character`.
        let scalars = text.unicodeScalars
        guard let quote = scalars.first else { return "" }
        let inner = scalars.dropFirst().dropLast()
        if quote == "[" { return String(String.UnicodeScalarView(inner)) }
        var name = String.UnicodeScalarView()
        var isSecond = false
        for scalar in inner {
          isSecond = scalar == quote && !isSecond
          if !isSecond { name.append(scalar) }
        }
        return String(name)
      }
    }
  }

  /// The tokens of a text, without spaces and comments.
  package static func of(_ sql: String) -> [Token] {
    var tokens: [Token] = []
    let utf8 = sql.utf8
    var place = utf8.startIndex
    func end(of test: (UInt8) -> Bool, from start: String.Index) -> String.Index {
      utf8[start...].firstIndex { !test($0) } ?? utf8.endIndex
    }
    while place < utf8.endIndex {
      let byte = utf8[place]
      let next = utf8.index(after: place)
      let second: UInt8 = next < utf8.endIndex ? utf8[next] : 0
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: place = next
      case UInt8(ascii: "-") where second == UInt8(ascii: "-"):
        place = utf8[place...].firstIndex(of: 0x0A) ?? utf8.endIndex
      case UInt8(ascii: "/") where second == UInt8(ascii: "*"): place = endOfComment(utf8, from: utf8.index(after: next))
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
        let stop = endOfQuote(utf8, from: next, byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte)
        tokens.append(Token(kind: byte == UInt8(ascii: "'") ? .text : .quoted, text: sql[place..<stop]))
        place = stop
      case _ where isWord(byte):
        let stop = end(of: isWord, from: place)
        tokens.append(Token(kind: .word, text: sql[place..<stop]))
        place = stop
      default:
        tokens.append(Token(kind: .sign, text: sql[place..<next]))
        place = next
      }
    }
    return tokens
  }

  /// How many values a statement takes: each `?` is one more than those before it, `?7` the seventh.
  package static func parameterCount(of sql: String) -> Int {
    let tokens = of(sql)
    var count = 0
    for (place, token) in tokens.enumerated() where token.isSign("?") {
      let next = tokens.indices.contains(place + 1) ? tokens[place + 1] : nil
      let number = next.flatMap { $0.text.startIndex == token.text.endIndex && $0.kind == .word ? Int($0.text) : nil }
      count = max(count, number ?? count + 1)
    }
    return count
  }

  /// Whether two statements are the same but for spaces, comments, quotes and the case of their words.
  package static func areSame(_ a: String, _ b: String) -> Bool {
    of(a).elementsEqual(of(b)) { a, b in
      (a.kind == .text) == (b.kind == .text) && (a.kind == .text ? a.text.isSpelled(as: b.text) : SchemaName.same(a.name, b.name))
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// A doubled quote stands for itself; a bracket can't.
  private static func endOfQuote(_ utf8: String.UTF8View, from start: String.Index, _ quote: UInt8) -> String.Index {
    var place = start
    while let found = utf8[place...].firstIndex(of: quote) {
      place = utf8.index(after: found)
      guard quote != UInt8(ascii: "]"), place < utf8.endIndex, utf8[place] == quote else { return place }
      place = utf8.index(after: place)
    }
    return utf8.endIndex
  }

  private static func endOfComment(_ utf8: String.UTF8View, from start: String.Index) -> String.Index {
    var place = start
    while let star = utf8[place...].firstIndex(of: UInt8(ascii: "*")) {
      place = utf8.index(after: star)
      if place < utf8.endIndex, utf8[place] == UInt8(ascii: "/") { return utf8.index(after: place) }
    }
    return utf8.endIndex
  }
}
