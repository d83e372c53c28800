import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOKit
import Testing

/// The trait that gives tests stores of their own.
@Suite(.ownStore(City.self, Person.self)) struct OwnStoreTests {
  // Side by side: each case sees what it wrote itself, and nothing else.
  @Test(arguments: 0..<20) func `Each case of a test has a store`(number: Int) async throws {
    try await City.create(City(code: "\(number)", name: "N"))
    await Task.yield()
    #expect(try await City.findAll().map(\.code) == ["\(number)"])
  }

  @Test(.ownStore { try OwnStoreTests.factoryWithRow() }) func `A closure makes the store, and a test's trait comes before its suite's`()
    throws
  {
    #expect(try City.findAll().map(\.code) == ["seed"])
  }

  private static func factoryWithRow() throws -> DAOFactory {
    let factory = try DAOFactory(store: .evaluator, entities: City.self, Person.self)
    try factory.runtimeDAO(City.self).insert(City(code: "seed", name: "from the closure"))
    return factory
  }
}
