import DAOCriteria
import DAOKit
import TestCases
import Testing

/// What words are: SQLite's search table beside the evaluator.
struct WordTests {
  /// Every character at the beginning, within and at the end of a word; in the suite every seventh. Of the planes for private use a part
  /// stands for all.
  @Test func `a character is part of a word, or parts words, and folds, as SQLite has it`() throws {
    let text = EntityDescription(
      "text", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text, searchable: true)])
    let ranges = [(0x1, 0xD7FF), (0xE000, 0xE0FF), (0xF800, 0x323AF), (0xE0000, 0xE01FF), (0xFFF00, 0x100100), (0x10FF00, 0x10FFFF)]
    let step = TestCases.areAll ? 1 : 7
    let store = try Stores.sqlite(for: [text])
    _ = try store.execute("CREATE VIRTUAL TABLE words USING fts5vocab('text_search', 'instance')")
    for (first, last) in ranges {
      _ = try store.execute(
        """
        WITH RECURSIVE code(i) AS (SELECT \(first + TestCases.offset(7)) UNION ALL SELECT i + \(step) FROM code WHERE i <= \(last - step))
        INSERT INTO text SELECT i, char(i) || 'a b' || char(i) || 'c d' || char(i) FROM code
        """)
    }
    var found: [Int: [String]] = [:]
    for (row, word) in try store.query(
      "SELECT doc, term FROM words ORDER BY doc, \"offset\"",
      { row, _ in
        (try row.next(Int.self), try row.next(String.self))
      })
    { found[row, default: []].append(word) }
    var different: [String] = []
    for (first, last) in ranges {
      for code in stride(from: first + TestCases.offset(7), through: last, by: step) {
        // Half a surrogate pair is no character; SQLite would write one that stands in its place.
        guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
        let words = Words.of("\(scalar)a b\(scalar)c d\(scalar)").map { String(decoding: $0.folded, as: UTF8.self) }
        if !words.elementsEqual(found[code] ?? [], by: { $0.utf8.elementsEqual($1.utf8) }) {
          different.append("\(String(code, radix: 16)): \(words) \(found[code] ?? [])")
        }
      }
    }
    #expect(different.isEmpty, "\(different.count): \(different.prefix(20))")
    #expect(found.count > 190_000 / step)
  }

  /// Of two words only, so that phrases begin again within themselves.
  @Test func `a phrase is found wherever it stands, though a part of it stands right before`() throws {
    let text = EntityDescription(
      "text", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text, searchable: true)])
    func all(_ length: Int) -> [String] {
      (0..<1 << length).map { bits in (0..<length).map { bits >> $0 & 1 == 0 ? "a" : "ab" }.joined(separator: " ") }
    }
    let stores = try Both.allCases.map { try $0.store(for: [text]) }
    for store in stores { _ = try store.insert(all(7).map { try DynamicEntity(text, ["text": .text($0)]) }, in: EntityTarget(text)) }
    for phrase in (1...4).flatMap(all) {
      for isPrefix in [true, false] {
        let search = Criteria.Condition.search(Criteria.Search(FieldPath("text"), .phrase(phrase, prefix: isPrefix)))
        let found = try stores.map { try $0.keys(search, of: text) }
        #expect(found[0] == found[1] && !found[0].isEmpty, "\(phrase)")
      }
    }
  }
}
