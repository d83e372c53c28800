import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Fetched results”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordFetchedResultsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_fetchController:delegate:useFileCache:groupedBy:inContext:`() async throws {
    let lists = people.fetchedResults(criteria, sections: \.city)
    #expect(try await first(of: lists)?.sections.map(\.rows.count) == [2, 2, 1])
  }

  @Test func `MR_fetchAllWithDelegate:`() async throws {
    let lists = people.fetchedResults(.all.order(by: \.lastName))
    #expect(try await first(of: lists)?.map(\.id) == [5, 1, 4, 2, 3])
  }

  @Test func `MR_fetchAllSortedBy:ascending:withPredicate:groupBy:`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(.where { $0.age > 30 }.order(by: \.city, \.lastName), sections: \.city) {
        print(list.sections.map(\.name))
      }
    } change: {
      try makeOlder()
    }
  }
}
