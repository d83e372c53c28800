import DAOKit
import Testing

@Suite("Pages after places: ends and totals")
struct PageEndTests {
  private let store: TestStore
  private var marks: RuntimeDAO<Mark> { store.marks }

  init() throws { store = try TestStore.marks() }
  private let columns = #""id", "score", "group", "name""#

  @Test func `the first page has no previous one, the last no next, and an empty page neither`() throws {
    let criteria = SearchCriteria<Mark>.where(\.group == "a").order(by: \.name)
    let all = try marks.findAll(criteria.limit(1000))
    #expect(all.count == 20)
    let first = try marks.page(criteria, size: 12)
    #expect(!first.hasPrevious && first.hasNext && first.items.count == 12)
    let last = try marks.page(criteria, size: 12, after: first.next)
    #expect(last.hasPrevious && !last.hasNext && last.items.count == 8)
    #expect(try marks.page(criteria, size: 12, before: last.previous) == first)
    // Counted from the end, the pages begin elsewhere.
    let end = try marks.page(criteria, size: 12, before: nil)
    #expect(end.items == Array(all.suffix(12)) && !end.hasNext && end.hasPrevious)
    let start = try marks.page(criteria, size: 12, before: end.previous)
    #expect(start.items == Array(all.prefix(8)) && !start.hasPrevious && start.hasNext)
    #expect(try marks.page(criteria, size: 12, after: start.next).items == end.items)
    #expect(try marks.page(criteria, size: 20) == marks.page(criteria, size: 20, before: nil))
    let none = try marks.page(.where(\.group == "none"), size: 1)
    #expect(none.items.isEmpty && !none.hasNext && !none.hasPrevious)
    #expect(try marks.page(criteria, size: 1, after: marks.page(criteria, size: 20, total: .omitted).next).items.isEmpty)
    let seventh = try marks.page(criteria, number: 4, size: 6)
    #expect(
      try seventh.items == Array(all.suffix(2)) && !seventh.hasNext
        && marks.page(criteria, size: 18, before: seventh.previous).items.count == 18)
  }

  @Test func `each total has its own statements`() throws {
    let criteria = SearchCriteria<Mark>.where(\.group == "a").order(by: \.id)
    func run(_ total: PageRequest.Total, size: Int = 6, after token: PageToken? = nil) throws -> (Page<Mark>, [String]) {
      let run = try store.trace.during { try marks.page(criteria, size: size, after: token, total: total) }
      return (run.result, run.expanded)
    }
    let (start, end) = (
      #"SELECT \#(columns) FROM "mark" WHERE "group" = 'a' ORDER BY "id" ASC NULLS FIRST LIMIT "#, #"FROM "mark" WHERE "group" = 'a'"#
    )
    let (omitted, omittedSQL) = try run(.omitted)
    #expect(omittedSQL == [start + "6"] && omitted.total == nil && omitted.hasNext)
    #expect(try run(.omitted, size: 20).0.hasNext && !run(.omitted, size: 21).0.hasNext)
    let (next, nextSQL) = try run(.hasNext)
    #expect(nextSQL == [start + "7"] && next.total == nil && next.hasNext && next.items == omitted.items)
    #expect(try !run(.hasNext, size: 20).0.hasNext)
    let (exact, exactSQL) = try run(.exact)
    #expect(exactSQL == [start + "7", "SELECT COUNT(*) " + end] && exact.total == 20)
    let (most, mostSQL) = try run(.atMost(15))
    #expect(mostSQL == [start + "7", "SELECT COUNT(*) FROM (SELECT 1 \(end) LIMIT 15)"] && most.total == 15)
    #expect(try run(.atMost(100)).0.total == 20 && run(.atMost(0)).0.total == 0)
    // One page alone shows its total by itself.
    #expect(try run(.exact, size: 50).1.count == 1 && run(.exact, size: 50).0.total == 20 && run(.atMost(3), size: 50).0.total == 3)
    #expect(try run(.exact, after: next.next).0.total == 20)
  }
}
