import DAOKit
import Foundation
import Testing

/// Related rows, on SQLite and in memory.
@Suite("Prefetch: the rows of relationships")
struct PrefetchTests {
  /// The two stores.
  static func factories() throws -> [DAOFactory] {
    let stores: [any EntityStore] = [try TestStore(Atlas.entities).store, ArrayStore(Atlas.entities)]
    return try stores.map { store in
      let factory = DAOFactory(over: store)
      try Atlas.fill(factory)
      return factory
    }
  }

  private let byCode = SearchCriteria<Land>().order(by: \.code)

  @Test("to one, to many and through pairs come with the row that leads to them", arguments: try factories())
  func rows(_ factory: DAOFactory) throws {
    let lands = try factory.runtimeDAO(Land.self).findAll(byCode.prefetch(\.neighbour, \.cities, \.rivers))
    #expect(lands.map(\.code) == ["AT", "FI", "SK"])
    #expect(try lands.map { try $0.neighbour?.get().name } == ["Slovakia", nil, "Austria"])
    #expect(try lands.map { Set(try $0.cities.get().map(\.name)) } == [["Wien"], [], ["Bratislava", "Košice"]])
    #expect(try lands.map { Set(try $0.rivers.get().map(\.name)) } == [["Donau"], [], ["Donau", "Hron"]])
    let cities = try factory.runtimeDAO(City.self).findAll(SearchCriteria().order(by: \.name).prefetch(\.land))
    #expect(try cities.map { try $0.land.get().name } == ["Slovakia", "Slovakia", "Austria"])
  }

  @Test("a path fetches the rows of all its relationships", arguments: try factories())
  func paths(_ factory: DAOFactory) throws {
    let found = try factory.runtimeDAO(City.self).findFirst(.where(\.name == "Wien").prefetch(\.land.rivers.lands.cities, \.land.neighbour))
    let austria = try #require(found).land.get()
    #expect(try austria.neighbour?.get().name == "Slovakia")
    let donau = try #require(try austria.rivers.get().first)
    let lands = try donau.lands.get().sorted { $0.code < $1.code }
    #expect(lands.map(\.code) == ["AT", "SK"])
    #expect(try lands.map { Set(try $0.cities.get().map(\.name)) } == [["Wien"], ["Bratislava", "Košice"]])
    // What is no part of the path was not fetched.
    #expect(throws: DAOError.self) { try lands[0].neighbour?.get() }
  }

  @Test("rows come in the order that is asked for", arguments: try factories())
  func orders(_ factory: DAOFactory) throws {
    func slovakia(_ criteria: SearchCriteria<Land>) throws -> Land {
      try #require(try factory.runtimeDAO(Land.self).findFirst(criteria.filter(\.code == "SK")))
    }
    let up = try slovakia(SearchCriteria().prefetch(\.cities, order: .ascending(\.size)).prefetch(\.rivers, order: .descending(\.name)))
    #expect(try up.cities.get().map(\.name) == ["Košice", "Bratislava"])
    #expect(try up.rivers.get().map(\.name) == ["Hron", "Donau"])
    let down = try slovakia(SearchCriteria().prefetch(\.cities, order: .descending(\.size), .ascending(\.name)))
    #expect(try down.cities.get().map(\.name) == ["Bratislava", "Košice"])
  }

  @Test("one row, pages, cursors and sessions have them too", arguments: try factories())
  func everyWay(_ factory: DAOFactory) throws {
    let lands = factory.runtimeDAO(Land.self)
    #expect(try lands.find("SK", prefetch: \.cities, \.neighbour).cities.get().count == 2)
    #expect(try lands.find("SK", prefetch: "neighbour.cities").neighbour?.get().cities.get().map(\.name) == ["Wien"])
    #expect(throws: DAOError.self) { try lands.find("XX", prefetch: \.cities) }
    let page = try lands.page(byCode.prefetch(\.cities), number: 2, size: 1)
    #expect(try page.items.map { try $0.cities.get().count } == [0])
    let counts = try lands.withCursor(byCode.prefetch(\.cities)) { cursor in
      var counts: [Int] = []
      while let land = try cursor.next() { counts.append(try land.cities.get().count) }
      return counts
    }
    #expect(counts == [1, 0, 2])
    try factory.write { session in
      let cities = session.runtimeDAO(City.self)
      try cities.insert(City("Graz", 290, in: Reference("AT")))
      #expect(try session.runtimeDAO(Land.self).find("AT", prefetch: \.cities).cities.get().count == 2)
    }
  }

  @Test("a stream's rows have them, batch by batch", arguments: try factories())
  func streams(_ factory: DAOFactory) async throws {
    var counts: [Int] = []
    for try await land in factory.runtimeDAO(Land.self).stream(byCode.prefetch(\.cities)) { counts.append(try land.cities.get().count) }
    #expect(counts == [1, 0, 2])
    #expect(try await factory.runtimeDAO(Land.self).find("SK", prefetch: \.cities).cities.get().count == 2)
    #expect(try await factory.runtimeDAO(Land.self).find("SK", prefetch: "cities").cities.get().count == 2)
  }

  @Test("a DAO's scope is of its own rows", arguments: try factories())
  func scope(_ factory: DAOFactory) throws {
    final class Alpine: DAO<Land>, @unchecked Sendable {
      override var scope: Filter<Land> { \.code == "AT" }
    }
    let lands = try factory.dao(Alpine.init).findAll(SearchCriteria().prefetch(\.neighbour))
    #expect(try lands.map { try $0.neighbour?.get().code } == ["SK"])
  }

  @Test("what counts, changes or deletes rows passes over it", arguments: try factories())
  func passedOver(_ factory: DAOFactory) throws {
    let cities = factory.runtimeDAO(City.self)
    let criteria = SearchCriteria<City>.where(\.size > 400).prefetch(\.land)
    #expect(try cities.count(criteria) == 2)
    #expect(try cities.exists(criteria))
    #expect(try cities.findAllIDs(criteria).count == 2)
    #expect(try cities.update(criteria, set: .set(\.size, 401)) == 2)
    #expect(try cities.delete(criteria) == 2)
  }

  @Test("a report can't have them", arguments: try factories())
  func reports(_ factory: DAOFactory) throws {
    let cities = factory.runtimeDAO(City.self)
    let criteria = SearchCriteria<City>().prefetch(\.land)
    let message = ["land: can't be prefetched: a report has no entities to give its rows to"]
    #expect(problems { _ = try cities.project(.field(\.name), matching: criteria) } == message)
    #expect(problems { _ = try cities.dictionaries(criteria.project(.field(\.name))) } == message)
    #expect(problems { _ = try cities.project(criteria.project(.field(\.name))) { try $0.next(String.self) } } == message)
  }

  @Test("what is no relationship is told, all of it at once", arguments: try factories())
  func unknown(_ factory: DAOFactory) throws {
    let lands = factory.runtimeDAO(Land.self)
    #expect(
      problems { _ = try lands.findAll(SearchCriteria().prefetch("citys", "cities.name", "neighbour.cities.land")) } == [
        "citys: land has no relationship 'citys'; did you mean 'cities'?", "cities.name: city has no relationship 'name'",
      ])
    let deep = Array(repeating: "neighbour", count: 9).joined(separator: ".")
    #expect(problems { _ = try lands.findAll(SearchCriteria().prefetch(deep)) }.count == 1)
    #expect(problems { _ = try lands.findAll(SearchCriteria().prefetch("")) }.count == 1)
    #expect(
      problems { _ = try lands.withCursor(SearchCriteria().prefetch("x")) { try $0.next() } } == ["x: land has no relationship 'x'"])
  }

  @Test("the longest path runs, on a small stack too", arguments: try factories())
  func longest(_ factory: DAOFactory) throws {
    let path = Array(repeating: "neighbour", count: 8).joined(separator: ".")
    let result = Box<Land?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      result.value = try? factory.runtimeDAO(Land.self).find("SK", prefetch: path)
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    var land = try #require(result.value)
    for _ in 0..<8 { land = try #require(land.neighbour).get() }
    #expect(land.code == "SK")
    #expect(throws: DAOError.self) { try land.neighbour?.get() }
  }

  // Set on a thread, read when it has finished.
  private final class Box<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test("an entity without a place for the rows says so")
  func noPlace() throws {
    struct Town: Entity {
      var id: Int64
      var land: String

      static let entityDescription = EntityDescription(
        "town", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("land", .text)],
        relationships: [.toOne("land", Land.entityDescription, by: "land")])

      struct Fields: EntityFields { init(path: FieldPath) {} }
      var primaryKey: Int64? { id }
      init(row: inout RowReader) throws { (id, land) = (try row.next(), try row.next()) }
      func write(to row: inout ColumnWriter) throws {
        try row.write(id)
        try row.write(land)
      }
    }
    let towns = DAOFactory(over: ArrayStore([Town.entityDescription, Land.entityDescription])).runtimeDAO(Town.self)
    #expect(
      misuse { _ = try towns.findAll(SearchCriteria().prefetch("land")) }
        == "@Entity, or rows.fetch(\"land\", into: …) in a prefetch(_:) of your own")
  }
}
