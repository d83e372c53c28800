import DAOKit
import DAOTestSupport
import Foundation
import Testing

/// What `DAOTestSupport` asserts holds and fails where it should: in a test of Swift Testing as an issue, outside of one as an error.
@Suite("Test support")
struct TestSupportTests {
  private let statements = StatementRecorder()
  private let zones: RuntimeDAO<Zone>

  init() throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self) { statements.record($0) }
    zones = factory.runtimeDAO(Zone.self)
    try zones.insert(Zone.samples)
  }

  /// The message of the failure that a body is to report: as an issue, and as an error where no test runs.
  private func failure<Result>(_ body: @escaping @Sendable () throws -> Result, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> String
  {
    let issues = Box<[String]>([])
    try withKnownIssue(sourceLocation: sourceLocation) {
      _ = try body()
    } matching: { issue in
      issues.value += issue.comments.map(\.rawValue)
      return issue.error == nil && issue.sourceLocation?.fileID.hasSuffix("TestSupportTests.swift") == true
    }
    let thrown = Box<(any Error)?>(nil)
    let thread = Thread {
      do { _ = try body() } catch { thrown.value = error }
      thrown.done.signal()
    }
    thread.start()
    thrown.done.wait()
    let first = try #require(issues.value.first, sourceLocation: sourceLocation)
    let error = try #require(thrown.value as? FailedExpectation, sourceLocation: sourceLocation)
    #expect(error.description.hasSuffix(": " + first) && error.description.hasPrefix("DAOKitTests/"), sourceLocation: sourceLocation)
    return first
  }

  // Set at one time and read at another.
  private final class Box<Value>: @unchecked Sendable {
    var value: Value
    let done = DispatchSemaphore(value: 0)
    init(_ value: Value) { self.value = value }
  }

  private let select = #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "offset" = ?"#

  @Test func `assertQuery: the text, the bindings, the rows, and what ran`() throws {
    let (zones, select, statements) = (zones, select, statements)
    let criteria = SearchCriteria<Zone>.where(\.offset == 3600)
    try assertQuery(criteria, on: zones, sql: select, bindings: [.integer(3600)], rows: [6, 1], in: statements)
    try assertQuery(
      criteria.order(by: \.id), on: zones, sql: select + #" ORDER BY "id" ASC NULLS FIRST"#, bindings: [.integer(3600)], rows: [1, 6])
    #expect(
      try failure { try assertQuery(criteria, on: zones, sql: "SELECT", bindings: [.integer(3600)], rows: [1, 6]) }
        == "the statement is\n\(select)\nand not\nSELECT")
    #expect(
      try failure { try assertQuery(criteria, on: zones, sql: select, bindings: [.integer(1)], rows: [1, 6]) }
        == "the bindings are [3600] and not [1]")
    #expect(
      try failure { try assertQuery(criteria, on: zones, sql: select, bindings: [.integer(3600)], rows: [1]) }.hasPrefix("the rows are ["))
    #expect(
      try failure {
        try assertQuery(
          criteria.order(by: \.id), on: zones, sql: select + #" ORDER BY "id" ASC NULLS FIRST"#, bindings: [.integer(3600)], rows: [6, 1])
      } == "the rows are [1, 6] and not [6, 1]")
    #expect(
      try failure { try assertQuery(.where(.in(\.name, [])), on: zones, sql: "", rows: []) } == "nothing is sent: no row can match")
    // An override that asks for something else.
    final class Other: DAO<Zone>, @unchecked Sendable {
      override func findAll(_ criteria: SearchCriteria<Zone>) throws -> [Zone] { try super.findAll(criteria.order(by: \.id)) }
    }
    let other = Other(zones.context)
    #expect(
      try failure { try assertQuery(criteria, on: other, sql: select, bindings: [.integer(3600)], rows: [1, 6], in: statements) }
        == "what ran is\n\(select) ORDER BY \"id\" ASC NULLS FIRST")
  }

  @Test func `expectStatements: as many as expected, without those of transactions`() throws {
    let (zones, statements) = (zones, statements)
    #expect(try expectStatements(exactly: 1, in: statements) { try zones.count() } == 6)
    #expect(try expectStatements(atMost: 2, in: statements) { try zones.find([1, 2]) }.count == 2)
    try expectStatements(exactly: 0, in: statements) {}
    #expect(
      try failure { try expectStatements(exactly: 2, in: statements) { try zones.count() } }
        == "ran 1 statement, not 2:\nSELECT COUNT(*) FROM \"zone\"")
    #expect(
      try failure { try expectStatements(atMost: 1, in: statements) { try (zones.count(), zones.count()) } }.hasPrefix(
        "ran 2 statements, not at most 1:\n"))
    #expect(throws: DAOError.self) { try expectStatements(atMost: 1, in: statements) { try zones.find(99) } }
  }

  @Test func `expectNoRepeats: a loop that asks row by row, and how often; batches of writes are none`() throws {
    let (zones, statements) = (zones, statements)
    try expectNoRepeats(in: statements) { for id in 1...2 as ClosedRange<Int64> { _ = try zones.find(id) } }
    try expectNoRepeats(moreThan: 6, in: statements) { for zone in try zones.findAll() { _ = try zones.refresh(zone) } }
    try expectNoRepeats(in: statements) { try zones.insert((0..<9).map { Zone("\($0)", 0) }) }
    #expect(
      try failure { try expectNoRepeats(in: statements) { for id in 1...5 as ClosedRange<Int64> { _ = try zones.find(id) } } }
        == #"ran 5 times: SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "id" = ?1"#)
    #expect(
      try failure {
        try expectNoRepeats(in: statements) {
          for _ in 1...3 { _ = try zones.query("  select count(*) from zone") { row in try row.next(Int.self) } }
        }
      }.hasSuffix("select count(*) from zone"))
  }

  @Test func `expectPlan: an index that must be used, scans and sorts that must not be there`() throws {
    let zones = zones
    try expectPlan(of: .where(\.name == "x"), on: zones, usesIndex: "zone_on_name")
    try expectPlan(of: .all.order(by: \.name), on: zones, page: PageRequest(size: 3), usesIndex: "zone_on_name")
    try expectPlan(of: .all.order(by: \.offset), on: zones, allowsFullScan: true, allowsSort: true)
    // A page in the order of the key ends its scan; with a filter it may come to every row.
    try expectPlan(of: .all, on: zones, page: PageRequest(size: 3))
    try expectPlan(of: .all.order(by: .descending(\.id)).limit(3), on: zones)
    for criteria in [SearchCriteria<Zone>.all, .all.order(by: \.id), .where(\.offset == 1).limit(3)] {
      #expect(try failure { try expectPlan(of: criteria, on: zones) }.hasPrefix("the plan looks at every row of zone:\nSCAN zone"))
    }
    // An index that is read from end to end, unless something ends it.
    let comments = SearchCriteria<Zone>.where(.contains(\.comment, "x")).order(by: \.name)
    try expectPlan(of: comments.limit(3), on: zones, usesIndex: "zone_on_name")
    try expectPlan(of: comments, on: zones, usesIndex: "zone_on_name", allowsFullScan: true)
    #expect(
      try failure { try expectPlan(of: comments, on: zones) }
        == "the plan looks at every row of zone:\nSCAN zone USING INDEX zone_on_name")
    #expect(
      try failure { try expectPlan(of: .where(\.id == 1), on: zones, usesIndex: "zone_on_name") }
        == "the plan does not use the index zone_on_name:\nSEARCH zone USING INTEGER PRIMARY KEY (rowid=?)")
    #expect(
      try failure { try expectPlan(of: .where(\.offset == 1), on: zones) } == """
        the plan looks at every row of zone:
        SCAN zone
        missing: CREATE INDEX "zone_on_offset" ON "zone" ("offset")
        """)
    #expect(
      try failure { try expectPlan(of: .all.order(by: \.offset), on: zones, allowsFullScan: true) }.hasPrefix("the plan sorts:\n"))
  }

  @Test func `a recorder tells what ran during a body, within another body too, and forgets`() throws {
    let outer = try statements.during {
      _ = try zones.count()
      return try statements.during { try zones.exists(1) }
    }
    #expect(outer.texts.count == 2 && outer.result.texts.count == 1 && outer.result.result)
    let cleared = try statements.during {
      _ = try zones.count()
      statements.clear()
      return try zones.count()
    }
    #expect(cleared.queries.count == 1)
    #expect(!statements.texts.isEmpty)
    statements.clear()
    #expect(statements.texts.isEmpty)
  }

  @Test func `with await`() async throws {
    #expect(try await expectStatements(exactly: 1, in: statements) { try await zones.count() } == 6)
    #expect(try await expectStatements(atMost: 1, in: statements) { try await zones.count() } == 6)
    try await expectNoRepeats(in: statements) { try await zones.findAll() }
    let run = try await statements.during { try await zones.insert(Zone("x", 1)) }
    #expect(run.queries.count == 1 && run.texts.count >= 1 && run.result.name == "x")
  }

  @Test func `what opens a connection and looks at the schema is not counted, so that the first call counts as the second`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString).sqlite")
    defer { for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + suffix) } }
    for _ in 1...2 {
      let factory = try DAOFactory(store: .file(url), entities: Zone.self) { statements.record($0) }
      let zones = factory.runtimeDAO(Zone.self)
      for number in 1...2 {
        try expectStatements(exactly: 1, in: statements) { try zones.insert(Zone("\(number)", number)) }
        try expectStatements(exactly: 1, in: statements) { try zones.upsert(Zone(id: Int64(number), "\(number) again", number)) }
      }
      try zones.delete(.all, allowUnfiltered: true)
    }
  }
}
