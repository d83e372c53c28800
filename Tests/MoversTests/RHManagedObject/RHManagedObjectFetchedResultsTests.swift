import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-rhmanagedobject.md, section “Fetched results”.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectFetchedResultsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `initWithTableView:entityClass:predicate:sortDescriptor:cellBlock:configureBlock:didSelectCellBlock:`() async throws {
    let lists = people.fetchedResults(.where { $0.age > 30 }.order(by: \.city, \.lastName), sections: \.city)
    #expect(try await first(of: lists)?.sections.map(\.rows.count) == [1, 2, 1])
  }

  @Test func `fetchedResultsController`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria) { print(list.count) }
    }
  }

  @Test func `-objectAtIndexPath:`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria) { print(list[[0, 0] as IndexPath].lastName) }
    }
  }

  @Test func `-reload`() async throws {
    let searched = people.fetchedResults(
      .where { person in .optional(text) { .contains(person.lastName, $0, caseSensitive: false) } }.order(by: \.lastName))
    #expect(try await first(of: searched)?.map(\.id) == [2, 3])
  }

  @Test func `massUpdate`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria) where list.changes == nil { print(list.count) }
    }
  }
}
