import CriteriaTesting
import Foundation
import TestCases
import Testing

@testable import DAOCriteria

@Suite("Differences of lists")
struct ListDifferenceTests {
  private typealias Sections = [(value: Scalar, rows: [Listed])]

  private func results(_ sections: Sections) throws -> FetchedResults<Listed> {
    var criteria = Criteria()
    criteria.orders = [.init(.field(FieldPath("id")))]
    // It is not brought up to date in memory, so the place of a row is its key.
    criteria.limit = .max
    let query = try FetchedQuery<Listed>(criteria, in: EntityTarget(Listed.entityDescription), sections: nil, mostChanges: .max)
    let fetched = sections.map { section in
      FetchedSection(section.value, FetchedRows(section.rows.map { .init(entity: $0, place: [.integer($0.id)]) }))
    }
    return FetchedResults(fetched, changes: nil, of: query)
  }

  private func changes(_ old: Sections, _ new: Sections) throws -> ListChanges? {
    try results(old).compare(to: results(new))?.changes
  }

  private func rows(_ ids: Int...) -> [Listed] { ids.map { Listed($0) } }

  /// Some of eight rows in some of five sections.
  private func random(_ random: inout RandomSource) -> Sections {
    var rows = Array(0..<random.below(9)).shuffled(using: &random)
    let values: [Scalar] = [.null, .text("a"), .text("b"), .integer(1), .integer(2)].shuffled(using: &random)
    return values.prefix(random.below(6)).map { value in
      let count = random.below(rows.count + 1)
      defer { rows.removeFirst(count) }
      return (value, rows.prefix(count).map { Listed($0, value: random.below(2)) })
    }
  }

  @Test func `what a view makes of them is the new list`() throws {
    var source = RandomSource(seed: TestCases.seed)
    for _ in 0..<TestCases.count(100_000, inSuite: 5_000) {
      let (old, new) = (random(&source), random(&source))
      var shown = ShownList(try results(old)) { "\($0.value)" }
      guard let next = try results(old).compare(to: results(new)) else {
        #expect(old.map(\.value) == new.map(\.value) && old.map(\.rows) == new.map(\.rows))
        continue
      }
      try shown.show(next)
      #expect(shown.reloads == 0)
    }
  }

  @Test func `as few rows move as possible`() throws {
    var source = RandomSource(seed: TestCases.seed)
    for _ in 0..<TestCases.count(2_000, inSuite: 200) {
      let (old, new) = (Array(0..<7).shuffled(using: &source), Array(0..<7).shuffled(using: &source))
      // Of all sets of rows, the largest whose rows have the same order in both.
      let standing = (0..<128).filter { set in
        let isIn = { (row: Int) in set & (1 << row) != 0 }
        return old.filter(isIn) == new.filter(isIn)
      }.map(\.nonzeroBitCount).max()
      let changes = try changes([(.null, old.map { Listed($0) })], [(.null, new.map { Listed($0) })])
      #expect(changes?.moved.count ?? 0 == 7 - (standing ?? 0))
    }
  }

  @Test func `a section that moves is moved, with its rows`() throws {
    let (a, b, c): (Scalar, Scalar, Scalar) = (.text("a"), .text("b"), .text("c"))
    let changes = try #require(
      try changes([(a, rows(1, 2)), (b, rows(3)), (c, rows(4))], [(b, rows(3)), (c, [Listed(4, value: 1)]), (a, rows(1, 2))]))
    var expected = ListChanges()
    expected.movedSections = [.init(from: 0, to: 2)]
    expected.updated = [[1, 0]]
    #expect(changes == expected)
  }

  @Test func `one that moves while a row comes in it goes and comes`() throws {
    let (a, b, c): (Scalar, Scalar, Scalar) = (.text("a"), .text("b"), .text("c"))
    let changes = try #require(
      try changes([(a, rows(1)), (b, rows(2, 3)), (c, rows(5))], [(b, rows(2, 3)), (c, rows(5)), (a, rows(1, 4))]))
    var expected = ListChanges()
    (expected.deletedSections, expected.insertedSections) = ([0], [2])
    #expect(changes == expected)
  }

  @Test func `keys that come twice have all shown anew`() throws {
    let list = try results([(.null, rows(1, 1))])
    #expect(try list.compare(to: results([(.null, rows(1, 2))])).map { $0.changes == nil } == true)
  }
}
