import DAOCriteria
import DAOKit
import Testing

@testable import DAODifferential

/// What words are and which are found: SQLite's search table beside the evaluator.
struct SearchDifferentialTests {
  private static let folder: EntityDescription = EntityDescription(
    "folder", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)],
    relationships: [.toMany("notes", note, by: "folderID")])

  private static let note: EntityDescription = EntityDescription(
    "note", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("title", .text, searchable: true),
      Attribute("body", .text, column: "a \"body\"", optional: true, searchable: true), Attribute("rank", .integer),
      Attribute("folderID", .integer, optional: true),
    ],
    relationships: [.toOne("folder", folder, by: "folderID", onDelete: .nullify)])

  /// Every character at the beginning, within and at the end of a word. Of the planes for private use a part stands for all.
  @Test func `every character is part of a word, or parts words, and folds, as SQLite has it`() throws {
    let text = EntityDescription(
      "text", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text, searchable: true)])
    let ranges = [(0x1, 0xD7FF), (0xE000, 0xE0FF), (0xF800, 0x323AF), (0xE0000, 0xE01FF), (0xFFF00, 0x100100), (0x10FF00, 0x10FFFF)]
    let store = try Stores.sqlite(for: [text])
    _ = try store.execute("CREATE VIRTUAL TABLE words USING fts5vocab('text_search', 'instance')")
    for (first, last) in ranges {
      _ = try store.execute(
        """
        WITH RECURSIVE code(i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM code WHERE i < \(last))
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
      for code in first...last {
        // Half a surrogate pair is no character; SQLite would write one that stands in its place.
        guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
        let words = Words.of("\(scalar)a b\(scalar)c d\(scalar)").map { String(decoding: $0.folded, as: UTF8.self) }
        if !words.elementsEqual(found[code] ?? [], by: { $0.utf8.elementsEqual($1.utf8) }) {
          different.append("\(String(code, radix: 16)): \(words) \(found[code] ?? [])")
        }
      }
    }
    #expect(different.isEmpty, "\(different.count): \(different.prefix(20))")
    #expect(found.count > 190_000)
  }

  @Test func `any search finds the same rows in both stores, and marks the same words`() throws {
    var random = RandomSource(seed: Fuzzer.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max)))
    var (found, marked) = (0, 0)
    for _ in 0..<30 {
      let rows = Self.rows(&random)
      let stores: [any EntityStore] = [try EvaluatorStore([Self.folder, Self.note]), try Stores.sqlite(for: [Self.folder, Self.note])]
      for store in stores {
        for (entity, row) in rows { _ = try store.insert([try DynamicEntity(entity, row)], in: EntityTarget(entity)) }
      }
      for _ in 0..<40 {
        let isOfNotes = !random.once(in: 4)
        let target = EntityTarget(isOfNotes ? Self.note : Self.folder)
        var criteria = Criteria()
        criteria.filter = Self.condition(&random, isOfNotes: isOfNotes)
        criteria.orders = [Ordering(.field(FieldPath("id")))]
        if random.once(in: 4) { criteria.scope = Self.condition(&random, isOfNotes: isOfNotes) }
        let keys = try stores.map { try $0.findKeys(DynamicEntity.self, in: target, criteria) }
        #expect(keys[0] == keys[1], "\(criteria)")
        found += keys[0].count
        let search = TextSearch(random.once(in: 2) || !isOfNotes ? .root : FieldPath("body"), Self.query(&random))
        criteria.filter = .constant(true)
        criteria.columns = [
          ProjectedColumn(
            .search(.highlight(FieldPath(isOfNotes ? random.pick(["title", "body"]) : "name"), start: "⟦", end: "⟧"), search))
        ]
        let texts = try stores.map { try $0.report(in: target, criteria) { row in try row.takeScalar() } }
        #expect(texts[0] == texts[1], "\(search)")
        marked += texts[0].filter { if case .text(let text) = $0 { text.contains("⟦") } else { false } }.count
        if random.once(in: 10) {
          criteria.columns = []
          criteria.orders = []
          criteria.filter = Self.condition(&random, isOfNotes: isOfNotes)
          let counts =
            random.once(in: 2) || !isOfNotes
            ? try stores.map { try $0.delete(in: target, criteria) }
            : try stores.map { try $0.update(in: target, criteria, set: [Change(.field(FieldPath("title")), .value("ab e\u{301}t"))]) }
          #expect(counts[0] == counts[1])
        }
      }
    }
    #expect(found > 100 && marked > 25)
  }

  private static let words = [
    "a", "ab", "abc", "b", "Ab", "ÁB", "é", "e\u{301}", "e", "été", "ß", "SS", "Σ", "ς", "ﬁ", "İ", "ı", "K", "k", "ж", "Ж", "й", "ё", "中",
    "中文",
    "한", "1", "12", "x1", "😀", "\u{E000}", "\u{1FAE0}", "ά", "α", "Ǆ", "ǆ", "ẞ", "\u{1E9B}\u{323}", "o\u{328}\u{301}", "ᾳ", "नि",
  ]

  private static func text(_ random: inout RandomSource) -> String {
    (0..<random.below(6)).map { _ in
      random.pick(words) + random.pick([" ", " ", " ", "-", ", ", "\0", "\u{301}", "\"", "", "\u{327}", "_"])
    }
    .joined()
  }

  private static func query(_ random: inout RandomSource) -> TextQuery {
    TextQuery(
      random.once(in: 2) ? random.pick(words) : text(&random), random.pick(TextQuery.Kind.allCases), prefix: random.once(in: 3))
  }

  private static func condition(_ random: inout RandomSource, isOfNotes: Bool, depth: Int = 0) -> Condition {
    switch random.below(depth > 2 ? 2 : 7) {
    case 0, 1:
      let paths = isOfNotes ? ["", "title", "body", "folder.name"] : ["", "name"]
      return .search(TextSearch(FieldPath(random.pick(paths)), query(&random)))
    case 2: return .not(condition(&random, isOfNotes: isOfNotes, depth: depth + 1))
    case 3: return .all((0..<2).map { _ in condition(&random, isOfNotes: isOfNotes, depth: depth + 1) })
    case 4: return .any((0..<2).map { _ in condition(&random, isOfNotes: isOfNotes, depth: depth + 1) })
    default:
      let inner = condition(&random, isOfNotes: !isOfNotes, depth: depth + 1)
      let some = Condition.some(FieldPath(isOfNotes ? "folder" : "notes"), inner)
      return random.once(in: 2) ? some : .not(some)
    }
  }

  private static func rows(_ random: inout RandomSource) -> [(EntityDescription, [String: Scalar])] {
    (1...3).map { id in (folder, ["id": .integer(id), "name": .text(text(&random))]) }
      + (1...10).map { id in
        (
          note,
          [
            "id": .integer(id), "title": .text(text(&random)), "body": random.once(in: 4) ? .null : .text(text(&random)), "rank": 1,
            "folderID": random.once(in: 3) ? .null : .integer(Int64(1 + random.below(3))),
          ]
        )
      }
  }
}
