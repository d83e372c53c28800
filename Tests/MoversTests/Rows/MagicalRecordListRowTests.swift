import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// Section 1A.7 of Documentation/behaviours.md.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordListRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1A.7 fetchController:delegate:useFileCache:groupedBy:`() async throws {
    var lists = people.fetchedResults(criteria, sections: \.city).makeAsyncIterator()
    let before = try #require(try await lists.next())
    #expect(before.map(\.id) == [5, 1, 4, 2, 3] && before.changes == nil)
    try syncly { try factory.write { try $0.runtimeDAO(Person.self).delete(1) } }
    let after = try #require(try await lists.next())
    #expect(after.map(\.id) == [5, 4, 2, 3])
    #expect(after.changes?.deleted == [[0, 1] as IndexPath])
  }

  @Test func `1A.7 fetchAllWithDelegate:`() async throws {
    #expect(try await first(of: people.fetchedResults(.all.order(by: \.lastName)))?.map(\.id) == [5, 1, 4, 2, 3])
    let error = await #expect(throws: DAOError.self) { try await first(of: people.fetchedResults(.all)) }
    #expect(error.map { "\($0)".contains("order") } == true)
  }

  @Test func `1A.7 fetchAllGroupedBy:…, fetchAllSortedBy:…groupBy:`() async throws {
    // Brno's rows are not beside each other in this order.
    let list = try await first(of: people.fetchedResults(.all.order(by: \.id), sections: \.city))
    #expect(list?.sections.map { $0.rows.map(\.id) } == [[1, 5], [2, 4], [3]])
  }
}
