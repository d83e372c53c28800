import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("What a search tells of its rows")
struct SearchResultTests {
  @Test func `the order of relevance is best first, what does not fit last, and ends in the key`() throws {
    let store = try TestStore.notes()
    let search = FullTextMatch<Note>("europe")
    let ranked = SearchCriteria<Note>.where(.match(search)).order(by: .relevance(of: search))
    #expect(try store.notes.findAllIDs(ranked.limit(10)) == [5, 1])
    #expect(try store.notes.findAllIDs(SearchCriteria.all.order(by: .relevance(of: search)).limit(9)) == [5, 1, 2, 3, 4])
    #expect(
      try ranked.limit(2).sql()?.text.components(separatedBy: "ORDER BY ").last
        == #"(SELECT rank FROM (SELECT rowid AS found, bm25("note_search") AS rank FROM "note_search" "#
        + #"WHERE "note_search" MATCH ? LIMIT -1) "#
        + #"WHERE found = "note"."id") ASC NULLS LAST, "id" ASC NULLS FIRST LIMIT ?"#)
    // Equal ones by the key.
    try store.notes.insert((0..<20).map { _ in Note("equal", "words") })
    let equal = FullTextMatch<Note>("equal words")
    #expect(
      try store.notes.findAllIDs(SearchCriteria.where(.match(equal)).order(by: .relevance(of: equal)).limit(20)) == Array(6...25))
  }

  @Test func `the ranks are worked out once, and looked up by an index`() throws {
    let store = try TestStore.notes()
    let search = FullTextMatch<Note>("europe")
    let sql = try #require(try SearchCriteria<Note>.where(.match(search)).order(by: .relevance(of: search)).limit(2).sql())
    let plan = try store.store.query(
      SQL(stringLiteral: "EXPLAIN QUERY PLAN " + sql.text.replacingOccurrences(of: "?", with: "1"))
    ) { row, _ in
      _ = try row.next(Int.self)
      _ = try row.next(Int.self)
      _ = try row.next(Int.self)
      return try row.next(String.self)
    }
    #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.contains("AUTOMATIC") && $0.contains("found=?") }, "\(plan)")
  }

  @Test func `pages by number come in the order of relevance; pages that go on from a place refuse it`() throws {
    let store = try TestStore.notes()
    try store.notes.insert((0..<7).map { Note("europe " + String(repeating: "x ", count: $0)) })
    let search = FullTextMatch<Note>("europe")
    let criteria = SearchCriteria<Note>.where(.match(search)).order(by: .relevance(of: search))
    let all = try store.notes.findAllIDs(criteria.limit(100))
    let pages = try (1...3).flatMap { try store.notes.page(criteria, number: $0, size: 4).items.compactMap(\.id) }
    #expect(pages == all && all.count == 9)
    let first = try store.notes.page(criteria, size: 4)
    #expect(first.items.compactMap(\.id) == Array(all.prefix(4)))
    #expect(
      problems { _ = try store.notes.page(criteria, size: 4, after: first.next) } == [
        "a page can't go on from a place in the order of relevance, in which each row moves the others; use pages by number"
      ])
    // In another order a search has such pages too.
    var page = try store.notes.page(SearchCriteria.where(.match(search)).order(by: .descending(\.title)), size: 2)
    var found = page.items.compactMap(\.id)
    while let next = page.next {
      page = try store.notes.page(SearchCriteria.where(.match(search)).order(by: .descending(\.title)), size: 2, after: next)
      found += page.items.compactMap(\.id)
    }
    #expect(found.sorted() == all.sorted())
  }

  @Test func `highlights mark what was found, on SQLite and in memory`() throws {
    let store = try TestStore.notes()
    let memory = DAOFactory(over: try EvaluatorStore([Note.entityDescription, Folder.entityDescription])).runtimeDAO(Note.self)
    try memory.insert(Note.samples.map { Note($0.title, $0.body, tag: $0.tag) })
    let search = FullTextMatch<Note>(.any("europe mlada", prefix: true))
    for notes in [store.notes, memory] {
      let rows = try notes.project(
        .highlight(\.title, search, start: "<b>", end: "</b>"), .highlight(\.body, search, start: "[", end: "]"),
        matching: SearchCriteria.all.order(by: \.id))
      #expect(rows.map(\.0) == ["Summer time in <b>Europe</b>", "Winter", "Škoda", "Timeless", "<b>Europe</b>"])
      #expect(
        rows.map(\.1) == [
          "Clocks go forward in March", "no summer here; time stands still", "A car from [Mladá] Boleslav", nil,
          "[Europe], [Europe] and Asia",
        ])
      // A search of the one attribute marks nothing in the other.
      let title = FullTextMatch<Note>(\.title, "europe")
      let bodies: [String?] = try notes.project(.highlight(\.body, title, start: "[", end: "]"), matching: .where(\.id == 5))
      #expect(bodies == ["Europe, Europe and Asia"])
    }
  }

  @Test func `a text with a NUL in it stays whole, and marks have none`() throws {
    let store = try TestStore.notes()
    let memory = DAOFactory(over: try EvaluatorStore([Note.entityDescription, Folder.entityDescription])).runtimeDAO(Note.self)
    for notes in [store.notes, memory] {
      let key = try notes.insert(Note("boat\0boat")).id ?? 0
      let texts: [String?] = try notes.project(
        .highlight(\.title, FullTextMatch("boat"), start: "<", end: ">"), matching: .where(\.id == key))
      #expect(texts == ["boat\0boat"])
      #expect(
        problems { _ = try notes.project(.highlight(\.title, FullTextMatch("boat"), start: "<\0", end: ">")) } == [
          "title: can't have a NUL in what marks it"
        ])
    }
  }

  @Test func `snippets are the part with the most of it, in a store that has the search table`() throws {
    let store = try TestStore.notes()
    let long = Array(repeating: "word", count: 50).joined(separator: " ")
    try store.notes.insert(Note("long", long + " needle " + long))
    let search = FullTextMatch<Note>("needle")
    let found = try store.notes.project(
      .snippet(\.body, search, start: "<", end: ">", ellipsis: "…", words: 3), matching: .where(.match(search)))
    for count in [0, 65] {
      #expect(
        problems { _ = try store.notes.project(.snippet(\.body, search, start: "", end: "", words: count)) } == [
          "body: shows 1 to 64 words, not \(count)"
        ])
    }
    #expect(found.count == 1 && found[0]?.contains("<needle>") == true && (found[0]?.count ?? 100) < 30, "\(found)")
  }

  @Test func `what only an index can know, the evaluator refuses`() throws {
    let memory = DAOFactory(over: try EvaluatorStore([Note.entityDescription, Folder.entityDescription])).runtimeDAO(Note.self)
    try memory.insert(Note("a"))
    let search = FullTextMatch<Note>("a")
    func refusal(_ body: () throws -> Void) -> String {
      do { try body() } catch DAOError.unsupported(let what) { return what } catch { return "\(error)" }
      return ""
    }
    #expect(
      refusal { _ = try memory.findAll(SearchCriteria.all.order(by: .relevance(of: search))) }
        == "the evaluator can't answer: the relevance of a search; only a store with a search table knows it")
    #expect(refusal { _ = try memory.project(.snippet(\.title, search, start: "", end: "")) }.contains("the snippet of a search"))
  }

  @Test func `they stand in groups only where they are grouped by, and never for what is not searchable`() throws {
    let store = try TestStore.notes()
    let search = FullTextMatch<Note>("a")
    #expect(
      problems { _ = try store.notes.project(.highlight(\.tag, search, start: "", end: "")) } == [
        "tag: is not declared searchable; body, title are"
      ])
    #expect(!problems { _ = try store.notes.project(.count, .highlight(\.title, search, start: "", end: "")) }.isEmpty)
    #expect(
      !problems { _ = try store.notes.project(.highlight(\.title, FullTextMatch(\.folder.name, "a"), start: "", end: "")) }.isEmpty)
  }
}
