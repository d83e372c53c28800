import CriteriaTesting
import DAOKit
import TestCases
import Testing

@Suite("Windows over long lists")
struct ListWindowTests {
  @Test(arguments: TestCases.seeds(200, inSuite: 12))
  func `a window has the rows around the one that it slid to, whatever is committed`(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    func mark() -> Mark {
      Mark(random.once(in: 4) ? nil : random.below(20), random.pick(["a", "b", "c"]), "\(random.below(1_000))")
    }
    let store = try TestStore([Mark.entityDescription])
    let (marks, total) = (store.marks, random.pick([0, 3, 200]))
    try marks.insert((0..<total).map { _ in mark() })
    let run = LiveQueryRun(try #require(store.store.changeFeed))
    let orders: [Order<Mark>] =
      random.once(in: 2) ? [.ascending(\.score), .descending(\.name), .ascending(\.id)] : [.descending(\.score), .ascending(\.id)]
    let criteria = SearchCriteria<Mark>.where(\.group != "c").order(by: orders)
    let (size, section) = (random.pick([1, 2, 7, 40, 300, .max]), random.once(in: 2) ? Criteria.Term.field(FieldPath("group")) : nil)
    let query = try FetchedQuery<Mark>(
      criteria.criteria, in: EntityTarget(Mark.entityDescription), sections: section, window: size, mostChanges: .max)
    func read() throws -> FetchedResults<Mark> {
      try run.run(over: store.store, of: [Mark.entityDescription]) { try query.read(from: $0, run) }
    }
    var list = try read()
    var shown = ShownList(list) { "\($0)" }
    var slides = 0
    for _ in 0..<60 {
      var goal: Mark?
      if !list.isEmpty, random.once(in: 2) {
        let position = random.pick([0, list.count - 1, random.below(list.count)])
        list.slide(to: position)
        if run.state.isMarked { goal = list[position] }
        if position == 0, list.hasRowsBefore { #expect(run.state.isMarked) }
        if position == list.count - 1, list.hasRowsAfter { #expect(run.state.isMarked) }
      } else {
        let gone = list.isEmpty ? nil : list[random.below(list.count)].id
        if random.once(in: 2) { try marks.insert((0..<3).map { _ in mark() }) }
        if random.once(in: 2), let gone { try marks.update(.where(\.id == gone), set: .set(\.score, to: random.below(20))) }
        if random.once(in: 3), let gone { try marks.delete(gone) }
        if random.once(in: 20) { try marks.delete(.where(\.score < random.below(20))) }
      }
      if run.state.isMarked, let next = list.compare(to: try read()) {
        if next.changes?.isEmpty != true { try shown.show(next) }
        list = next
      }
      let all = try marks.findAll(criteria)
      let positions = list.compactMap { row in all.firstIndex(of: row) }.sorted()
      #expect(list.count == min(size, all.count) && positions.count == list.count)
      let (first, last) = (positions.first ?? 0, positions.last ?? all.count - 1)
      #expect(last - first == list.count - 1)
      #expect(list.hasRowsBefore == (first > 0))
      #expect(list.hasRowsAfter == (last < all.count - 1))
      if let goal {
        slides += 1
        #expect(list.contains(goal))
      }
    }
    #expect(shown.reloads == 0 && (slides > 0 || size > 40 || total < 200))
  }

  @Test func `a window begins at a row, by the index`() throws {
    let store = try TestStore.marks()
    let run = LiveQueryRun(try #require(store.store.changeFeed))
    let query = try FetchedQuery<Mark>(
      SearchCriteria<Mark>.all.order(by: \.score).criteria, in: EntityTarget(Mark.entityDescription), sections: nil, window: 30,
      mostChanges: .max)
    let first = try run.run(over: store.store) { try query.read(from: $0, run) }
    // Its first rows have no score.
    first.slide(to: 29)
    let ran = try store.trace.during { try run.run(over: store.store) { try query.read(from: $0, run) } }
    let next = ran.result
    #expect(next.count == 30 && next.contains(first[29]) && next.hasRowsBefore && next.hasRowsAfter)
    let statements = ran.expanded.filter { $0.hasPrefix("SELECT") }
    #expect(statements.count == 2 && statements.allSatisfy { $0.contains("LIMIT") })
    let plan = try store.store.query("EXPLAIN QUERY PLAN \(SQL(stringLiteral: statements[0]))") { row, _ in
      for _ in 0..<3 { _ = try row.takeStored() }
      return try row.next(String.self)
    }
    #expect(plan.contains { $0.contains("mark_on_score (score>?)") } && !plan.contains { $0.hasPrefix("SCAN mark") })
  }

  @Test func `what can have no window is refused`() async throws {
    let marks = try TestStore.marks().marks
    let byScore = SearchCriteria<Mark>.all.order(by: \.score)
    let refused = [
      (marks.fetchedResults(byScore, window: 0), "a window has at least 1 row, not 0"),
      (marks.fetchedResults(byScore.limit(5), window: 5), "has no limit and no offset"),
      (marks.fetchedResults(byScore.order(by: .ascending(.max(\.score))), window: 5), "can't be ordered by an aggregate"),
    ]
    for (lists, message) in refused {
      var loop = lists.makeAsyncIterator()
      let error = await #expect(throws: DAOError.self) { try await loop.next() }
      #expect(error?.description.contains(message) == true)
    }
  }

  @Test func `a loop gets the list that its window slid to`() async throws {
    let marks = try TestStore.marks().marks
    var lists = marks.fetchedResults(.all.order(by: \.name), window: 10).makeAsyncIterator()
    let first = try #require(try await lists.next())
    #expect(first.count == 10 && !first.hasRowsBefore && first.hasRowsAfter)
    // Not where there is nothing beyond, and not out of it.
    for position in [0, 5, -1, 10] { first.slide(to: position) }
    first.slide(to: 9)
    let second = try #require(try await lists.next())
    #expect(second.contains(first[9]) && second.changes?.deleted.count == 5 && second.changes?.inserted.count == 5)
  }
}
