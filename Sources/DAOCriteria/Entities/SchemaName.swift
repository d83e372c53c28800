/// A name of a schema, equal to another as SQLite compares names: by its bytes, where ASCII letters count alike in both cases.
///
/// Swift's own equality finds the letter K and the Kelvin sign equal, and `lowercased()` folds more letters than SQLite does; to SQLite
/// these are two tables.
package struct SchemaName: Hashable, Comparable, CustomStringConvertible {
  /// The name as it is spelled.
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: Self, b: Self) -> Bool { same(a.text, b.text) }

  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lazy.map(folded).lexicographicallyPrecedes(b.text.utf8.lazy.map(folded)) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(Self.folded(byte)) }
  }

  package var description: String { text }

  /// Whether the name begins with an ASCII text in lower case.
  package func hasPrefix(_ prefix: String) -> Bool { text.utf8.lazy.map(Self.folded).starts(with: prefix.utf8) }

  package static func same(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.elementsEqual(b.utf8) { folded($0) == folded($1) }
  }

  package static func same(_ a: [String], _ b: [String]) -> Bool { a.elementsEqual(b) { same($0, $1) } }

  /// A text with its ASCII letters as capitals, as SQLite reads type names and keywords.
  package static func capitals(_ text: String) -> String {
    String(decoding: text.utf8.map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  private static func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte + 0x20 : byte }
}

extension StringProtocol {
  /// Whether two names of entities have the same bytes. Swift's own equality finds several spellings of a letter equal.
  package func isSpelled(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
