import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Lists that follow the commits")
struct FetchedResultsTests {
  /// A DAO that shows the zones from an offset on, which may become another one.
  private final class BoundedDAO: DAO<Zone>, @unchecked Sendable {
    private let bound = Bound()

    var least: Int {
      get { bound.lock.withLock { bound.value } }
      set { bound.lock.withLock { bound.value = newValue } }
    }

    override func refine(_ criteria: SearchCriteria<Zone>) -> SearchCriteria<Zone> { criteria.filter(\.offset >= least) }

    private final class Bound: @unchecked Sendable {
      let lock = NSLock()
      var value = -100_000
    }
  }

  private let byOffset = SearchCriteria<Zone>.all.order(by: \.offset, \.name)

  private func names(_ results: FetchedResults<Zone>?) -> [[String]]? { results?.sections.map { $0.rows.map(\.name) } }

  // MARK: Rows

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `each commit comes with its differences`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var lists = zones.fetchedResults(.where(\.offset >= 3600).order(by: \.name)).makeAsyncIterator()
    let first = try await lists.next()
    #expect(names(first) == [["Asia/Kolkata", "Europe/Bratislava", "europe/minsk", "Ärzte"]] && first?.changes == nil)
    // One comes, one goes, one changes, and one changes places.
    try syncly { try zones.insert(Zone("Europe/Paris", 3600)) }
    let inserted = try await lists.next()
    #expect(inserted?.changes == ListChanges(inserted: [[0, 2]]) && inserted?[2].name == "Europe/Paris")
    try syncly { try zones.update(.where(\.id == Zone.kolkata), set: .set(\.offset, to: 0)) }
    #expect(try await lists.next()?.changes == ListChanges(deleted: [[0, 0]]))
    try syncly { try zones.update(.where(\.id == Zone.minsk), set: .set(\.comment, to: "new")) }
    #expect(try await lists.next()?.changes == ListChanges(updated: [[0, 2]]))
    try syncly { try zones.update(.where(\.id == Zone.doctors), set: .set(\.name, to: "Amt")) }
    let moved = try await lists.next()
    #expect(moved?.changes == ListChanges(moved: [.init(from: [0, 3], to: [0, 0])]))
    #expect(names(moved) == [["Amt", "Europe/Bratislava", "Europe/Paris", "europe/minsk"]])
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `several commits are one difference`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var lists = zones.fetchedResults(byOffset).makeAsyncIterator()
    let first = try #require(try await lists.next())
    var shown = ShownList(first) { "\($0)" }
    try syncly {
      let paris = try zones.insert(Zone("Europe/Paris", 3600))
      try zones.insert([Zone("Asia/Tokyo", 32400), Zone("Asia/Seoul", 32400)])
      try zones.update(.where(\.offset == 32400), set: .set(\.offset, to: -1))
      try zones.delete(paris.id ?? 0)
      // There and back.
      try zones.update(.where(\.id == Zone.london), set: .set(\.offset, to: 99_999))
      try zones.update(.where(\.id == Zone.london), set: .set(\.offset, to: 0))
    }
    let second = try #require(try await lists.next())
    #expect(second.changes == ListChanges(inserted: [[0, 1], [0, 2]]))
    try shown.show(second)
    #expect(try names(second) == [syncly { try zones.findAll(byOffset) }.map(\.name)])
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `a commit that leaves the list as it is is passed over`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var lists = zones.fetchedResults(.where(\.offset == 3600).order(by: \.name)).makeAsyncIterator()
    _ = try await lists.next()
    try syncly {
      try zones.insert(Zone("Asia/Tokyo", 32400))
      let paris = try zones.insert(Zone("Europe/Paris", 3600))
      try zones.delete(paris.id ?? 0)
      try zones.update(.where(\.id == Zone.bratislava), set: .set(\.comment, to: "last"))
    }
    #expect(try await lists.next()?.changes == ListChanges(updated: [[0, 0]]))
  }

  @Test func `a commit is followed in memory`() async throws {
    let store = try TestStore.zones()
    var lists = store.zones.fetchedResults(byOffset, sections: .abs(\.offset)).makeAsyncIterator()
    _ = try await lists.next()
    store.trace.clear()
    for number in 0..<20 {
      _ = try syncly { try store.zones.insert(Zone("new \(number)", number % 3)) }
      #expect(try await lists.next()?.changes?.count == 1)
    }
    // A row that was in the list, and still is: in its place, and in another.
    _ = try syncly { try store.zones.update(.where(\.name == "new 7"), set: .set(\.comment, to: "changed")) }
    #expect(try await lists.next()?.changes?.updated.count == 1)
    _ = try syncly { try store.zones.update(.where(\.name == "new 7"), set: .set(\.offset, to: 2)) }
    #expect(try await lists.next()?.changes?.moved.count == 1)
    #expect(store.trace.texts.filter { $0.hasPrefix("SELECT") } == [])
  }

  @Test func `what the DAO shows is asked for at each commit`() async throws {
    let zones = try TestStore.zones().factory.dao(BoundedDAO.init)
    var lists = zones.fetchedResults(byOffset).makeAsyncIterator()
    #expect(try await lists.next()?.count == 6)
    zones.least = 3600
    _ = try syncly { try zones.insert(Zone("new", 3600)) }
    let list = try await lists.next()
    #expect(try list?.map(\.name) == syncly { try zones.findAll(byOffset) }.map(\.name) && list?.changes?.deleted.count == 2)
  }

  @Test func `a list over relationships, of the first rows, or of rows of other forms is read again`() async throws {
    let store = try TestStore([Land.entityDescription, City.entityDescription, River.entityDescription, CityOnRiver.entityDescription])
    let (lands, cities) = (store.factory.runtimeDAO(Land.self), store.factory.runtimeDAO(City.self))
    try syncly {
      try lands.insert([Land("SK", "Slovakia"), Land("AT", "Austria")])
      try cities.insert([City(1, "Bratislava", 475, in: "SK"), City(2, "Wien", 1_900, in: "AT"), City(3, "Trnava", 65, in: "SK")])
    }
    var byLand = cities.fetchedResults(.all.order(by: \.land.name, \.name), sections: \.land.name).makeAsyncIterator()
    var largest = cities.fetchedResults(.all.order(by: .descending(\.population)).limit(2)).makeAsyncIterator()
    var withLands = cities.fetchedResults(.where(\.landCode == "AT").order(by: \.name).prefetch("land")).makeAsyncIterator()
    #expect(try await byLand.next()?.sections.map(\.name) == ["Austria", "Slovakia"])
    #expect(try await largest.next()?.map(\.name) == ["Wien", "Bratislava"])
    await #expect(throws: DAOError.self) { try await withLands.next() }
    // Another land's name puts its section elsewhere.
    try syncly { try lands.update(.where(\.code == "AT"), set: .set(\.name, to: "Österreich")) }
    let renamed = try await byLand.next()
    #expect(renamed?.sections.map(\.name) == ["Slovakia", "Österreich"])
    #expect(renamed?.changes == ListChanges(deletedSections: [0], insertedSections: [1]))
    // One that comes into the first rows has another one leave.
    try syncly { try cities.insert(City(4, "Praha", 1_300)) }
    let changed = try await largest.next()
    #expect(changed?.map(\.name) == ["Wien", "Praha"] && changed?.changes == ListChanges(deleted: [[0, 1]], inserted: [[0, 1]]))
    #expect(try await byLand.next()?.sections.map(\.name) == ["", "Slovakia", "Österreich"])
  }

  @Test func `a value that is not known has the list read again`() async throws {
    let store = try TestStore.zones()
    let zones = store.zones
    var lists = zones.fetchedResults(.all.order(by: \.name)).makeAsyncIterator()
    _ = try await lists.next()
    store.trace.clear()
    let text = String(repeating: "long ", count: 1_000)
    try syncly { try zones.update(.where(\.id == Zone.minsk), set: .set(\.comment, to: text)) }
    let list = try await lists.next()
    #expect(list?.first { $0.id == Zone.minsk }?.comment == text && list?.changes?.updated.count == 1)
    #expect(store.trace.texts.contains { $0.hasPrefix("SELECT") && $0.contains("ORDER BY") })
  }

  // MARK: Sections

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `sections come and go with their rows`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var lists = zones.fetchedResults(byOffset, sections: \.offset).makeAsyncIterator()
    let first = try #require(try await lists.next())
    #expect(first.sections.map(\.value) == [-18000, 0, 3600, 10800, 19800])
    #expect(first.sections[2].rows.map(\.name) == ["Europe/Bratislava", "Ärzte"] && first.sections[2].name == "3600")
    try syncly { try zones.update(.where(\.offset == 3600), set: .set(\.offset, to: -1)) }
    let second = try await lists.next()
    #expect(second?.changes == ListChanges(deletedSections: [2], insertedSections: [1]))
    try syncly { try zones.update(.where(\.id == Zone.doctors), set: .set(\.offset, to: 0)) }
    #expect(try await lists.next()?.changes == ListChanges(moved: [.init(from: [1, 1], to: [2, 1])]))
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `sections are in the order of their first rows`(kind: ChangeFeedTests.Kind) async throws {
    // As conversations are: the one with the latest message first.
    let zones = try kind.factory().runtimeDAO(Zone.self)
    let latestFirst = SearchCriteria<Zone>.all.order(by: .descending(\.id))
    var lists = zones.fetchedResults(latestFirst, sections: .substring(\.name, from: 0, size: 1)).makeAsyncIterator()
    #expect(
      try names(await lists.next()) == [
        ["Ärzte"], ["europe/minsk"], ["America/New_York", "Asia/Kolkata"], ["Europe/London", "Europe/Bratislava"],
      ])
    try syncly { try zones.insert(Zone("Asia/Tokyo", 32400)) }
    let list = try await lists.next()
    #expect(list?.sections.map(\.name) == ["A", "Ä", "e", "E"])
    #expect(list?.changes == ListChanges(deletedSections: [2], insertedSections: [0]))
  }

  @Test func `a list without sections has one, however few its rows`() async throws {
    let zones = try TestStore.zones().zones
    var lists = zones.fetchedResults(.where(\.offset == 1).order(by: \.name)).makeAsyncIterator()
    let none = try await lists.next()
    #expect(none?.sections.count == 1 && none?.isEmpty == true && none?.sections[0].value == .null)
    try syncly { try zones.insert(Zone("new", 1)) }
    #expect(try await lists.next()?.changes == ListChanges(inserted: [[0, 0]]))
    try syncly { try zones.delete(.where(\.offset == 1)) }
    let again = try await lists.next()
    #expect(again?.changes == ListChanges(deleted: [[0, 0]]) && again?.sections.count == 1)
  }

  // MARK: Many changes

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `above a number of changes all is shown anew`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var (lists, few) = (
      zones.fetchedResults(byOffset).makeAsyncIterator(), zones.fetchedResults(byOffset, reloadingAbove: 0).makeAsyncIterator()
    )
    _ = (try await lists.next(), try await few.next())
    try syncly { try zones.insert((0..<50).map { Zone("new \($0)", $0) }) }
    #expect(try await lists.next()?.changes?.count == 50)
    try syncly { try zones.insert((50..<101).map { Zone("new \($0)", $0) }) }
    let list = try await lists.next()
    #expect(list?.count == 107 && list?.changes == nil)
    let other = try await few.next()
    #expect(other?.count == 107 && other?.changes == nil)
    // More than a commit tells one by one.
    try syncly { try zones.insert((101..<1_200).map { Zone("new \($0)", $0) }) }
    #expect(try await lists.next()?.count == 1_206)
    try syncly { try zones.insert(Zone("last", 1_000_000)) }
    #expect(try await lists.next()?.changes == ListChanges(inserted: [[0, 1_206]]))
  }

  // MARK: Bad input

  @Test func `a list needs an order, and has entities`() async throws {
    let zones = try TestStore.zones().zones
    let refused = [
      (zones.fetchedResults(.all), "a list needs an order"),
      (zones.fetchedResults(byOffset.project(.count)), "a list has entities"),
      (zones.fetchedResults(byOffset, sections: .field("nmae")), "did you mean 'name'?"),
      (zones.fetchedResults(.where(.field("x") == 1).order(by: \.name)), "x: "),
      (zones.fetchedResults(byOffset, sections: .max(\.offset)), "an aggregate is of many rows"),
    ]
    for (lists, message) in refused {
      var loop = lists.makeAsyncIterator()
      let error = await #expect(throws: DAOError.self) { try await loop.next() }
      #expect(error?.description.contains(message) == true)
    }
  }

  @Test func `rows of a view whose keys repeat are shown anew`() async throws {
    let store = try TestStore(sql: "CREATE VIEW twice AS SELECT id, name FROM zone UNION ALL SELECT id, name FROM zone")
    _ = try syncly { try store.zones.insert(Zone.samples) }
    let twice = EntityDescription(
      "twice", source: .view(definition: nil), key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("name", .text)])
    var lists = store.factory.runtimeDAO(twice).fetchedResults(.all.order(by: .ascending(.field("name")))).makeAsyncIterator()
    #expect(try await lists.next()?.count == 12)
    try syncly { try store.zones.insert(Zone("new", 1)) }
    let list = try await lists.next()
    #expect(list?.count == 14 && list?.changes == nil)
  }

  @Test func `a view's rows that are the same are no other list`() throws {
    let store = try TestStore(sql: "CREATE VIEW twice AS SELECT id, name FROM zone UNION ALL SELECT id, name FROM zone")
    try store.zones.insert(Zone.samples)
    let twice = EntityDescription(
      "twice", source: .view(definition: nil), key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("name", .text)])
    let criteria = SearchCriteria<DynamicEntity>.all.order(by: .ascending(.field("name")))
    let query = try FetchedQuery<DynamicEntity>(criteria.criteria, in: EntityTarget(twice), sections: nil, mostChanges: 50)
    let run = LiveQueryRun(try #require(store.store.changeFeed))
    func read() throws -> FetchedResults<DynamicEntity> { try run.run(over: store.store) { try query.read(from: $0, run) } }
    let list = try read()
    #expect(try list.count == 12 && list.compare(to: read()) == nil)
    try store.zones.update(.where(\.id == 1), set: .set(\.name, to: "another"))
    #expect(try list.compare(to: read()) != nil)
  }

  // MARK: The value

  @Test func `it has its rows by position, by place and by key`() async throws {
    let zones = try TestStore.zones().zones
    var lists = zones.fetchedResults(byOffset, sections: \.offset).makeAsyncIterator()
    let list = try #require(try await lists.next())
    #expect(list.map(\.id) == [Zone.newYork, Zone.london, Zone.bratislava, Zone.doctors, Zone.minsk, Zone.kolkata])
    #expect(list.indices.map { list[$0] } == Array(list))
    #expect(list.indexPath(of: Zone.doctors) == [2, 1] && list[[2, 1] as IndexPath].id == Zone.doctors)
    #expect(list.indexPath(of: 77) == nil)
  }

  @Test func `rows of dynamic entities are followed too`() async throws {
    let store = try TestStore.zones()
    let zones = try store.factory.runtimeDAO("zone")
    var lists = zones.fetchedResults(.all.order(by: .descending(.field("offset")))).makeAsyncIterator()
    #expect(try await lists.next()?.first?["name"] == "Asia/Kolkata")
    try syncly { try store.zones.insert(Zone("Asia/Tokyo", 32400)) }
    let list = try await lists.next()
    #expect(list?.first?["name"] == "Asia/Tokyo" && list?.changes == ListChanges(inserted: [[0, 0]]))
  }
}
