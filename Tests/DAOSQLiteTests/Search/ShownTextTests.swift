import DAOCriteria
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

/// `dao_highlight` and `dao_snippet` beside FTS5's own functions.
@Suite("Texts of a search that are shown")
struct ShownTextTests {
  private static let tokenizers = ["unicode61 remove_diacritics 2", "porter unicode61", "ascii", "unicode61 tokenchars ' '"]
  private static let words = ["boat", "boats", "Boot", "bööt", "sea", "seas", "a", "B", "x1", "日本", "sail", "sailing"]
  private static let gaps = [" ", "  ", ", ", ". ", ".\n", ":\t", "-", ".", " . ", "\r\n", "… ", "!? "]

  /// Random texts and searches.
  private struct Maker {
    var random: RandomSource

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

    /// Of few words or many, so that hits are rare or overlap.
    mutating func text(_ count: Int) -> String {
      let words = Array(ShownTextTests.words.shuffled(using: &random).prefix(1 + Int(random.next() % 12)))
      var text = pick(["", " ", "\n", ".", "¿"])
      for _ in 0..<count { text += pick(words) + pick(ShownTextTests.gaps) }
      return text
    }

    mutating func phrase() -> String {
      let words = (0..<1 + Int(random.next() % 3)).map { _ in pick(ShownTextTests.words) }
      return "\"\(words.joined(separator: " "))\"" + pick(["", "", " *"])
    }

    mutating func query() -> String {
      switch random.next() % 6 {
      case 0: return phrase()
      case 1: return "\(pick(["one", "two", "{one two}"])) : (\(phrase()) OR \(phrase()))"
      case 2: return "\(phrase()) AND \(phrase())"
      case 3: return "NEAR(\(phrase().replacingOccurrences(of: " *", with: "")) \(pick(ShownTextTests.words)), 3)"
      case 4: return "one : \(phrase()) OR two : \(phrase())"
      default: return (0..<5).map { _ in phrase() }.joined(separator: " OR ")
      }
    }
  }

  /// A table with the functions, that keeps its texts itself or indexes those of another.
  private func database(_ tokenizer: String, isExternal: Bool) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      ConnectionFunctions.install(in: db)
      try db.execute(sql: "CREATE TABLE texts (id INTEGER PRIMARY KEY, one, two)")
      try db.execute(
        sql: "CREATE VIRTUAL TABLE found USING fts5(one, two, tokenize='\(tokenizer.replacingOccurrences(of: "'", with: "''"))'"
          + (isExternal ? ", content='texts', content_rowid='id')" : ")"))
    }
    return queue
  }

  private func insert(_ texts: [String?], _ db: Database) throws {
    for table in ["texts", "found"] {
      try db.execute(
        sql: "INSERT INTO \(table) (\(table == "texts" ? "id" : "rowid"), one, two) VALUES (1, ?, ?)", arguments: StatementArguments(texts))
    }
  }

  /// What both functions give for the one row; nil where the search does not find it.
  private func shown(
    _ call: String, _ arguments: [any DatabaseValueConvertible], _ query: String, _ db: Database
  ) throws -> (own: Data?, theirs: Data?)? {
    let row = try Row.fetchOne(
      db, sql: "SELECT CAST(dao_\(call) AS BLOB), CAST(\(call) AS BLOB) FROM found WHERE found MATCH ?",
      arguments: StatementArguments(arguments + arguments + [query]))
    return row.map { ($0[0], $0[1]) }
  }

  private func check(_ query: String, sizes: [Int], _ db: Database) throws -> Int {
    var count = 0
    for column in 0..<2 {
      guard let (own, theirs) = try shown("highlight(found, \(column), ?, ?)", ["<b>", "</b>"], query, db) else { return 0 }
      #expect(own == theirs, "\(query)")
      count += 1
      for size in sizes {
        guard let (own, theirs) = try shown("snippet(found, \(column), ?, ?, ?, ?)", ["[", "]", "…", size], query, db) else { return 0 }
        // SQLite 3.40 takes the range of the first word alone for none: it shows the whole text, or nothing.
        if size == 1, own?.starts(with: Data("…".utf8)) == false { continue }
        #expect(own == theirs, "\(query), \(size) words")
        count += 1
      }
    }
    return count
  }

  @Test(arguments: tokenizers.indices, [false, true])
  func `are those of FTS5, byte by byte`(_ tokenizer: Int, isExternal: Bool) throws {
    var maker = Maker(random: RandomSource(seed: UInt64(tokenizer * 2 + (isExternal ? 1 : 0))))
    let queue = try database(Self.tokenizers[tokenizer], isExternal: isExternal)
    var count = 0
    for _ in 0..<TestCases.count(250, inSuite: 60) {
      let length = maker.pick([0, 1, 3, 10, 40, 40, 150])
      let texts: [String?] = [maker.text(length), maker.pick([maker.text(length), "", nil])]
      try queue.write { db in
        try insert(texts, db)
        for _ in 0..<6 { count += try check(maker.query(), sizes: [maker.pick([1, 2, 3]), maker.pick([5, 8, 16, 64])], db) }
        try db.execute(sql: isExternal ? "INSERT INTO found (found) VALUES ('delete-all')" : "DELETE FROM found")
        try db.execute(sql: "DELETE FROM texts")
      }
    }
    #expect(count > TestCases.count(1000, inSuite: 200), "\(count)")
  }

  @Test(arguments: TestCases.some(tokenizers.indices, every: 3))
  func `are those of FTS5 where a text is long`(_ tokenizer: Int) throws {
    var maker = Maker(random: RandomSource(seed: 100 + UInt64(tokenizer)))
    let queue = try database(Self.tokenizers[tokenizer], isExternal: true)
    let parts = (0..<4).map { _ in (0..<6_000).map { _ in maker.pick(["x", "yes", "zoé", "w"]) + maker.pick(Self.gaps) }.joined() }
    var count = 0
    for blank in [" ", String(repeating: "\n", count: 70_000), String(repeating: "y", count: 70_000)] {
      let text = maker.text(50) + parts[0] + blank + parts[1] + maker.text(50) + parts[2] + parts[3] + maker.text(20)
      #expect(text.utf8.count > 100_000)
      try queue.write { db in
        try insert([text, text], db)
        for query in ["boat OR sea OR \"a b\" OR x1", "\"x yes\" OR bo*", maker.query()] {
          count += try check(query, sizes: [1, 7, 64], db)
        }
        try db.execute(sql: "INSERT INTO found (found) VALUES ('delete-all')")
        try db.execute(sql: "DELETE FROM texts")
      }
    }
    #expect(count > 6)
  }

  @Test func `words that overlap, as trigrams do, are copied once, in a long text too`() throws {
    // SQLite 3.40's own functions copy the rest of the text with each hit that overlaps the one before.
    let queue = try database("trigram", isExternal: false)
    let text = String(repeating: "a boatswain, two boats\n", count: 5_000) + "bo at boat"
    try queue.write { db in
      try insert([text, nil], db)
      let found = "FROM found WHERE found MATCH '\"boat\"'"
      let whole = try String.fetchOne(db, sql: "SELECT dao_highlight(found, 0, '<', '>') \(found)")
      #expect(whole == text.replacingOccurrences(of: "boat", with: "<boat>"))
      let part = try #require(try String.fetchOne(db, sql: "SELECT dao_snippet(found, 0, '<', '>', '', 20) \(found)"))
      #expect(part.contains("<boat>") && text.contains(part.filter { !"<>".contains($0) }))
    }
  }

  @Test func `begin with a sentence, with the text, or have the hits in their middle, as FTS5 rates them`() throws {
    let queue = try database("unicode61", isExternal: true)
    for (text, expected) in [
      ("a b c boat d e f g", "…c [boat] d…"), ("a b c d. Boat e f g", "…d. [Boat] e…"), ("a b c d. e boat f g", "…e [boat] f…"),
      ("a b c d: e f boat g h", "…e f [boat]…"), ("a b c d.e f boat g h", "…f [boat] g…"), ("a boat c d", "a [boat] c…"),
      ("boat a b c d. e boat sea", "…e [boat] [sea]"), ("a b c boat sea boat d", "…[boat] [sea] [boat]…"), ("(a boat)!", "(a [boat])!"),
    ] {
      try queue.write { db in
        try insert([text, "boat sea"], db)
        let found = try #require(try shown("snippet(found, 0, ?, ?, ?, ?)", ["[", "]", "…", 3], "boat OR sea", db))
        #expect(found.0 == found.1 && found.0.map { String(decoding: $0, as: UTF8.self) } == expected)
        try db.execute(sql: "INSERT INTO found (found) VALUES ('delete-all')")
        try db.execute(sql: "DELETE FROM texts")
      }
    }
  }

  @Test func `one word is one word, at the beginning too`() throws {
    let queue = try database("unicode61", isExternal: false)
    try queue.write { db in
      try insert(["boat a b c", nil], db)
      let text = try String.fetchOne(db, sql: "SELECT dao_snippet(found, 0, '[', ']', '…', 1) FROM found WHERE found MATCH 'boat'")
      #expect(text == "[boat]…")
    }
  }

  @Test func `calls that make no sense are errors, and so is a text that is too long`() throws {
    let queue = try database("unicode61", isExternal: true)
    try queue.write { db in
      try insert([String(repeating: "boat ", count: 2_000), "sea"], db)
      func code(_ call: String, _ rest: String = "FROM found WHERE found MATCH 'boat'") throws -> ResultCode? {
        do {
          _ = try Row.fetchOne(db, sql: "SELECT dao_\(call) \(rest)")
          return nil
        } catch let error as DatabaseError { return error.resultCode }
      }
      for call in ["highlight(found)", "highlight(found, 0, '<')", "snippet(found, 0, '<', '>')", "snippet(found, 1, '<', '>', '', 3, 3)"] {
        #expect(try code(call) == .SQLITE_ERROR, "\(call)")
      }
      for call in ["highlight(1, 0, '', '')", "highlight(one, 0, '', '')", "highlight()", "snippet(texts, 0, '', '', '', 1)"] {
        #expect(try code(call, "FROM texts") == .SQLITE_ERROR, "\(call)")
      }
      for column in ["-1", "2", "99999999999"] {
        #expect(try code("highlight(found, \(column), '', '')") == .SQLITE_RANGE)
        #expect(try code("snippet(found, \(column), '', '', '', 4)") == .SQLITE_RANGE)
      }
      #expect(try code("snippet(found, NULL, NULL, x'00', 1.5, -7)") == nil)
      #expect(try code("highlight(found, 0, '<', '>')") == nil)
      db.distrustSchema(maximumLength: 12_000)
      #expect(try code("highlight(found, 0, '<', '>')") == .SQLITE_TOOBIG)
      #expect(try code("snippet(found, 0, '<', '>', '', 64)") == nil)
    }
  }

  @Test func `an index that is out of step with its texts shows something or is an error`() throws {
    let queue = try database("unicode61", isExternal: true)
    try queue.write { db in
      try insert([String(repeating: "a boat. ", count: 50), "sea boat"], db)
      for text in ["", "boat", "a b", String(repeating: "x. ", count: 1_000), String(repeating: "a boat. ", count: 49)] {
        try db.execute(sql: "UPDATE texts SET one = ?, two = NULL", arguments: [text])
        for call in ["highlight(found, 0, '<', '>')", "snippet(found, 0, '<', '>', '…', 5)", "snippet(found, 1, '<', '>', '…', 5)"] {
          _ = try? Row.fetchOne(db, sql: "SELECT dao_\(call) FROM found WHERE found MATCH 'boat OR sea'")
        }
      }
    }
  }

  @Test func `an index with more words than the text: what there is is shown to its end, and each mark is closed`() throws {
    let queue = try database("unicode61", isExternal: true)
    try queue.write { db in
      try insert([String(repeating: "boat ", count: 50), nil], db)
      try db.execute(sql: "UPDATE texts SET one = 'sea boat sea. (the end)'")
      let sql = "SELECT dao_snippet(found, 0, '<', '>', '…', ?) FROM found WHERE found MATCH '\"boat boat\"'"
      let shown = "<sea boat sea. (the end)>"
      #expect(try String.fetchOne(db, sql: sql, arguments: [40]) == shown)
      #expect(try String.fetchOne(db, sql: sql, arguments: [100]) == shown)
    }
  }

  @Test func `marks are texts, whatever they were`() throws {
    let queue = try database("unicode61", isExternal: true)
    try queue.write { db in
      try insert(["a b c boat d e f", nil], db)
      for marks in ["1, 2.5, 3", "x'3C', NULL, ''"] {
        let row = try Row.fetchOne(
          db, sql: "SELECT dao_snippet(found, 0, \(marks), 3), snippet(found, 0, \(marks), 3) FROM found WHERE found MATCH 'boat'")
        #expect(row.map { $0[0] as String? == $0[1] as String? && $0[0] != nil as String? } == true)
      }
    }
  }

  @Test func `a connection closes after calls that were ended, in the middle of a search too`() throws {
    let queue = try database("unicode61", isExternal: true)
    try queue.write { db in
      try insert([String(repeating: "boat. ", count: 40_000), nil], db)
      for call in ["highlight(found, 0, '<', '>')", "snippet(found, 0, '<', '>', '…', 5)"] {
        // Over before the second 64 kB.
        let limits = ConnectionLimits(busyTimeout: .zero, nil)
        let sql = "SELECT dao_\(call) FROM found WHERE found MATCH 'boat'"
        #expect {
          try limits.watching { try limits.within(RunMeter(RunBudget(steps: .max, time: .seconds(-1)))) { try Row.fetchOne(db, sql: sql) } }
        } throws: {
          ($0 as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT
        }
        #expect(try String.fetchOne(db, sql: sql)?.contains("[") == false)
      }
    }
    try queue.close()
  }
}
