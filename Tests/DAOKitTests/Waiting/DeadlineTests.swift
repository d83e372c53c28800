import DAOKit
import Foundation
import TestCases
import Testing

@Suite("A call that has a deadline", .timeLimit(.minutes(60)))
struct DeadlineTests {
  /// What a call ran out of, and what it was doing.
  private func timeout(_ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) async -> (
    DAOError.Timeout, String
  )? {
    do { try await body() } catch DAOError.timedOut(let timeout, let message) { return (timeout, message) } catch {
      Issue.record(error, sourceLocation: sourceLocation)
      return nil
    }
    Issue.record("the call ended", sourceLocation: sourceLocation)
    return nil
  }

  @Test(arguments: TestCases.some(EndlessStore.calls, every: 3))
  func `ends with it, whatever it is; nothing is written, and its connection is as good as new`(_ call: EndlessStore.Call) async throws {
    let store = try EndlessStore()
    let found = await timeout { try await withDeadline(.milliseconds(40)) { try await call.run(store) } }
    #expect(found?.0 == .deadline)
    #expect(found?.1.contains("0.04 seconds") == true, "\(found?.1 ?? "")")
    #expect(await timeout { try await withDeadline(.zero) { try await call.run(store) } }?.0 == .deadline)
    #expect(try await store.isAsNew())
  }

  @Test(arguments: TestCases.some(EndlessStore.calls, every: 4).filter { $0.description != "a write session that passes errors over" })
  func `ends with its store's statementTimeout, and its error has the SQL`(_ call: EndlessStore.Call) async throws {
    let store = try EndlessStore(statementTimeout: .milliseconds(300))
    let found = await timeout { try await call.run(store) }
    #expect(found?.0 == .statement)
    #expect(found?.1.contains("statementTimeout") == true && found?.1.contains(/"(endless|zone)"|endless/) == true, "\(found?.1 ?? "")")
    #expect(try await store.isAsNew())
  }

  @Test func `that was ended in a session whose closure passes the error over has ended the session`() async throws {
    let store = try EndlessStore(statementTimeout: .milliseconds(300))
    await #expect(throws: DAOError.self) {
      try await store.factory.write { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        try zones.insert(Zone("before", 0))
        #expect(throws: DAOError.self) { try zones.insert(Zone("slow", 0)) }
        // SQLite takes a transaction back whole when it has to stop in the middle of a change.
        #expect(throws: DAOError.self) { try zones.insert(Zone("after", 0)) }
      }
    }
    #expect(try await store.isAsNew())
  }

  @Test func `ends with it while it waits for the writer, a reader or another process's lock`() async throws {
    let store = try EndlessStore()
    let writer = Held { end in try store.factory.write { _ in end() } }
    for call in EndlessStore.writes {
      let found = await timeout { try await withDeadline(.milliseconds(10)) { try await call.run(store) } }
      #expect(found?.0 == .deadline && found?.1.contains("write { } on thread") == true, "\(found?.1 ?? "")")
    }
    #expect(await timeout { try withDeadline(.milliseconds(10)) { _ = try store.zones.insert(Zone("x", 1)) } }?.0 == .deadline)
    writer.release()
    let readers = (0..<max(4, ProcessInfo.processInfo.activeProcessorCount)).map { _ in
      Held { end in try store.factory.read { _ in end() } }
    }
    #expect(await timeout { try withDeadline(.milliseconds(10)) { _ = try store.zones.findAll() } }?.0 == .deadline)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          #expect(await timeout { try await withDeadline(.milliseconds(10)) { _ = try await store.zones.count() } }?.0 == .deadline)
        }
      }
    }
    for reader in readers { reader.release() }
    let other = try OtherWriter(store.url)
    for call in EndlessStore.writes {
      #expect(await timeout { try await withDeadline(.milliseconds(20)) { try await call.run(store) } }?.0 == .deadline)
    }
    try other.end()
    #expect(try await store.isAsNew())
  }

  @Test func `ends its own statement alone: cursors and transactions of the session go on`() throws {
    let store = try EndlessStore()
    try store.factory.write { session in
      let (zones, endless) = (session.runtimeDAO(Zone.self), try session.runtimeDAO("endless"))
      try zones.insert(Zone("first", 1))
      let names = try zones.withCursor(.all.order(by: \.id)) { cursor in
        var names: [String] = []
        while let zone = try cursor.next() {
          names.append(zone.name)
          if names.count < 4 {
            #expect(throws: DAOError.self) { try withDeadline(.milliseconds(10)) { try endless.count() } }
          }
        }
        return names
      }
      #expect(names == Zone.samples.map(\.name) + ["first"])
      try zones.insert(Zone("second", 2))
    }
    #expect(try store.zones.count(.where(.in(\.name, ["first", "second"]))) == 2)
  }

  /// A step of SQLite's machine can be a function that looks through megabytes.
  @Test(
    arguments: [
      ("a", Criteria.TextComparison.like, "*?" + String(repeating: "a", count: 1000) + "b", true),
      ("a", .like, "*?" + String(repeating: "a", count: 1000) + "b", false), ("ǎ", .like, "*a*b", false), ("ǎ", .contains, "b", false),
    ])
  func `ends a filter in the middle of one long text`(
    _ character: String, _ match: Criteria.TextComparison, _ pattern: String, _ caseSensitive: Bool
  ) async throws {
    let store = try EndlessStore()
    let long = try await store.zones.insert(Zone(String(repeating: character, count: 4_000_000), 0))
    let criteria = SearchCriteria<Zone>.where(
      Filter(.matches(.field(FieldPath("name")), match, .text(pattern), caseSensitive: caseSensitive)))
    #expect(await timeout { try await withDeadline(.milliseconds(20)) { _ = try await store.zones.count(criteria) } }?.0 == .deadline)
    try await store.zones.delete(try #require(long.id))
    #expect(try await store.isAsNew())
  }

  @Test(arguments: [true, false])
  func `ends a text's change to other letters in the middle of one long text`(isLower: Bool) async throws {
    let store = try EndlessStore()
    let long = try await store.zones.insert(Zone(String(repeating: "Ä", count: 8_000_000), 0))
    let criteria = SearchCriteria<Zone>.where(isLower ? .lower(\.name) == "q" : .upper(\.name) == "q")
    #expect(await timeout { try await withDeadline(.milliseconds(20)) { _ = try await store.zones.count(criteria) } }?.0 == .deadline)
    try await store.zones.delete(try #require(long.id))
    // The pieces are one text.
    let mixed = String(repeating: "aÄÖ€😀", count: 20_000)
    let id = try #require(try await store.zones.insert(Zone(mixed, 0)).id)
    #expect(try await store.zones.count(.where(.lower(\.name) == mixed.lowercased())) == 1)
    #expect(try await store.zones.count(.where(.upper(\.name) == mixed.uppercased())) == 1)
    try await store.zones.delete(id)
    #expect(try await store.isAsNew())
  }

  @Test(arguments: ["q", "", nil])
  func `ends a function that makes another text in the middle of one long text`(replacement: String?) async throws {
    let store = try EndlessStore()
    let long = try await store.zones.insert(Zone(String(repeating: "Ä", count: 8_000_000), 0))
    let made: Operand<Zone, String> =
      if let replacement { .replace(\.name, "Ä", with: replacement) } else { .substring(\.name, from: 7_999_999) }
    let criteria = SearchCriteria<Zone>.where(made == "q")
    #expect(await timeout { try await withDeadline(.milliseconds(20)) { _ = try await store.zones.count(criteria) } }?.0 == .deadline)
    try await store.zones.delete(try #require(long.id))
    #expect(try await store.isAsNew())
  }

  @Test(arguments: [true, false])
  func `ends a highlight and a snippet in the middle of one long text`(isSnippet: Bool) async throws {
    let notes = try TestStore.notes().notes
    let match = FullTextMatch<Note>("boat")
    let shown: Projection<Note, String?> =
      isSnippet ? .snippet(\.body, match, start: "<", end: ">", words: 3) : .highlight(\.body, match, start: "<", end: ">")
    try await notes.insert(Note("long", Array(repeating: "boat", count: 400_000).joined(separator: " ")))
    let criteria = SearchCriteria<Note>.where(\.title == "long")
    #expect(
      await timeout { try await withDeadline(.milliseconds(20)) { _ = try await notes.project(shown, matching: criteria) } }?.0 == .deadline
    )
  }

  @Test func `nests: the one that ends first counts, and what comes after has none`() async throws {
    let store = try EndlessStore()
    let outer = await timeout {
      try await withDeadline(.milliseconds(20)) { try await withDeadline(.seconds(1000)) { try await EndlessStore.reads[5].run(store) } }
    }
    #expect(outer?.1.contains("0.02 seconds") == true)
    let count = try await withDeadline(.seconds(1000)) {
      let inner = await timeout { try await withDeadline(.milliseconds(20)) { try await EndlessStore.reads[5].run(store) } }
      #expect(inner?.1.contains("0.02 seconds") == true)
      return try await store.zones.count()
    }
    #expect(count == Zone.samples.count)
    #expect(try await store.isAsNew())
  }

  @Test func `rolls back what a closure wrote that returns after it`() async throws {
    let store = try EndlessStore()
    let found = await timeout {
      try await withDeadline(.milliseconds(10)) {
        try await store.factory.write { (session) throws in
          try session.runtimeDAO(Zone.self).insert(Zone("late", 1))
          Thread.sleep(forTimeInterval: 0.02)
        }
      }
    }
    #expect(found?.0 == .deadline)
    #expect(try await store.isAsNew())
  }
}
