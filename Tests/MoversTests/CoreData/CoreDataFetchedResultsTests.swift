import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-core-data.md, section “Fetched results”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataFetchedResultsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `NSFetchedResultsController(fetchRequest:managedObjectContext:sectionNameKeyPath:cacheName:)`() async throws {
    let lists = people.fetchedResults(.all.order(by: \.city, \.lastName), sections: \.city)
    #expect(try await first(of: lists)?.sections.map(\.rows.count) == [2, 2, 1])
  }

  @Test func `fetchedObjects`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria) { print(list.count, list.indexPath(of: id) ?? []) }
    }
  }

  @Test func `sections`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria, sections: \.city) { print(list.sections.map { "\($0.name) \($0.rows.count)" }) }
    }
  }

  @Test func `sectionIndexTitle(forSectionName:)`() async throws {
    let letters = people.fetchedResults(.all.order(by: \.lastName), sections: .substring(\.lastName, from: 0, size: 1))
    #expect(try await first(of: letters)?.sections.count == 5)
  }

  @Test func `controller(_:didChange:at:for:newIndexPath:)`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria) {
        if let changes = list.changes { print(changes.inserted, changes.deleted, changes.updated, changes.moved) }
      }
    } change: {
      try makeOlder()
    }
  }

  @Test func `@FetchRequest`() async throws {
    let shown = await LiveValue(people.observe(.all.order(by: \.lastName)), initially: [])
    try await wait { shown.value.count == 5 }
    #expect(await shown.value.count == 5)
  }

  @Test func `@SectionedFetchRequest`() async throws {
    let shown = await LiveValue(people.fetchedResults(.all.order(by: \.city), sections: \.city))
    try await wait { shown.value?.sections.count == 3 }
    #expect(await shown.value?.sections.count == 3)
  }
}
