import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// Related rows, on SQLite and in memory.
@Suite("Prefetch: the rows of relationships")
struct PrefetchTests {
  /// The two stores.
  static func factories() throws -> [DAOFactory] {
    let stores: [any EntityStore] = [try TestStore(Atlas.entities).store, try EvaluatorStore(Atlas.entities)]
    return try stores.map { store in
      let factory = DAOFactory(over: store)
      try Atlas.fill(factory)
      return factory
    }
  }

  private let byCode = SearchCriteria<Nation>().order(by: \.code)

  @Test(arguments: try factories())
  func `to one, to many and through pairs come with the row that leads to them`(_ factory: DAOFactory) throws {
    let nations = try factory.runtimeDAO(Nation.self).findAll(byCode.prefetch(\.neighbour, \.towns, \.lakes))
    #expect(nations.map(\.code) == ["AT", "FI", "SK"])
    #expect(try nations.map { try $0.neighbour?.get().name } == ["Slovakia", nil, "Austria"])
    #expect(try nations.map { Set(try $0.towns.get().map(\.name)) } == [["Wien"], [], ["Bratislava", "Košice"]])
    #expect(try nations.map { Set(try $0.lakes.get().map(\.name)) } == [["Zemplín"], [], ["Zemplín", "Štrba"]])
    let towns = try factory.runtimeDAO(Town.self).findAll(SearchCriteria().order(by: \.name).prefetch(\.nation))
    #expect(try towns.map { try $0.nation.get().name } == ["Slovakia", "Slovakia", "Austria"])
  }

  @Test(arguments: try factories())
  func `a path fetches the rows of all its relationships`(_ factory: DAOFactory) throws {
    let found = try factory.runtimeDAO(Town.self).findFirst(
      .where(\.name == "Wien").prefetch(\.nation.lakes.nations.towns, \.nation.neighbour))
    let austria = try #require(found).nation.get()
    #expect(try austria.neighbour?.get().name == "Slovakia")
    let lake = try #require(try austria.lakes.get().first)
    let nations = try lake.nations.get().sorted { $0.code < $1.code }
    #expect(nations.map(\.code) == ["AT", "SK"])
    #expect(try nations.map { Set(try $0.towns.get().map(\.name)) } == [["Wien"], ["Bratislava", "Košice"]])
    // What is no part of the path was not fetched.
    #expect(throws: DAOError.self) { try nations[0].neighbour?.get() }
  }

  @Test(arguments: try factories())
  func `rows come in the order that is asked for`(_ factory: DAOFactory) throws {
    func slovakia(_ criteria: SearchCriteria<Nation>) throws -> Nation {
      try #require(try factory.runtimeDAO(Nation.self).findFirst(criteria.filter(\.code == "SK")))
    }
    let up = try slovakia(SearchCriteria().prefetch(\.towns, order: .ascending(\.size)).prefetch(\.lakes, order: .descending(\.name)))
    #expect(try up.towns.get().map(\.name) == ["Košice", "Bratislava"])
    #expect(try up.lakes.get().map(\.name) == ["Štrba", "Zemplín"])
    let down = try slovakia(SearchCriteria().prefetch(\.towns, order: .descending(\.size), .ascending(\.name)))
    #expect(try down.towns.get().map(\.name) == ["Bratislava", "Košice"])
  }

  @Test(arguments: try factories())
  func `one row, pages, cursors and sessions have them too`(_ factory: DAOFactory) throws {
    let nations = factory.runtimeDAO(Nation.self)
    #expect(try nations.find("SK", prefetch: \.towns, \.neighbour).towns.get().count == 2)
    #expect(try nations.find("SK", prefetch: "neighbour.towns").neighbour?.get().towns.get().map(\.name) == ["Wien"])
    #expect(throws: DAOError.self) { try nations.find("XX", prefetch: \.towns) }
    let page = try nations.page(byCode.prefetch(\.towns), number: 2, size: 1)
    #expect(try page.items.map { try $0.towns.get().count } == [0])
    let counts = try nations.withCursor(byCode.prefetch(\.towns)) { cursor in
      var counts: [Int] = []
      while let nation = try cursor.next() { counts.append(try nation.towns.get().count) }
      return counts
    }
    #expect(counts == [1, 0, 2])
    try factory.write { session in
      let towns = session.runtimeDAO(Town.self)
      try towns.insert(Town("Graz", 290, in: Reference("AT")))
      #expect(try session.runtimeDAO(Nation.self).find("AT", prefetch: \.towns).towns.get().count == 2)
    }
  }

  @Test(arguments: try factories())
  func `a stream's rows have them, batch by batch`(_ factory: DAOFactory) async throws {
    var counts: [Int] = []
    for try await nation in factory.runtimeDAO(Nation.self).stream(byCode.prefetch(\.towns)) { counts.append(try nation.towns.get().count) }
    #expect(counts == [1, 0, 2])
    #expect(try await factory.runtimeDAO(Nation.self).find("SK", prefetch: \.towns).towns.get().count == 2)
    #expect(try await factory.runtimeDAO(Nation.self).find("SK", prefetch: "towns").towns.get().count == 2)
  }

  @Test(arguments: try factories())
  func `a DAO's scope is of its own rows`(_ factory: DAOFactory) throws {
    final class Alpine: DAO<Nation>, @unchecked Sendable {
      override var scope: Filter<Nation> { \.code == "AT" }
    }
    let nations = try factory.dao(Alpine.init).findAll(SearchCriteria().prefetch(\.neighbour))
    #expect(try nations.map { try $0.neighbour?.get().code } == ["SK"])
  }

  @Test(arguments: try factories())
  func `what counts, changes or deletes rows passes over it`(_ factory: DAOFactory) throws {
    let towns = factory.runtimeDAO(Town.self)
    let criteria = SearchCriteria<Town>.where(\.size > 400).prefetch(\.nation)
    #expect(try towns.count(criteria) == 2)
    #expect(try towns.exists(criteria))
    #expect(try towns.findAllIDs(criteria).count == 2)
    #expect(try towns.update(criteria, set: .set(\.size, to: 401)) == 2)
    #expect(try towns.delete(criteria) == 2)
  }

  @Test(arguments: try factories())
  func `a report can't have them`(_ factory: DAOFactory) throws {
    let towns = factory.runtimeDAO(Town.self)
    let criteria = SearchCriteria<Town>().prefetch(\.nation)
    let message = ["nation: can't be prefetched: a report has no entities to give its rows to"]
    #expect(problems { _ = try towns.project(.field(\.name), matching: criteria) } == message)
    #expect(problems { _ = try towns.dictionaries(criteria.project(.field(\.name))) } == message)
    #expect(problems { _ = try towns.project(criteria.project(.field(\.name))) { try $0.next(String.self) } } == message)
  }

  @Test(arguments: try factories())
  func `what is no relationship is told, all of it at once`(_ factory: DAOFactory) throws {
    let nations = factory.runtimeDAO(Nation.self)
    #expect(
      problems { _ = try nations.findAll(SearchCriteria().prefetch("townz", "towns.name", "neighbour.towns.nation")) } == [
        "townz: nation has no relationship 'townz'; did you mean 'towns'?", "towns.name: town has no relationship 'name'",
      ])
    let deep = Array(repeating: "neighbour", count: 9).joined(separator: ".")
    #expect(problems { _ = try nations.findAll(SearchCriteria().prefetch(deep)) }.count == 1)
    #expect(problems { _ = try nations.findAll(SearchCriteria().prefetch("")) }.count == 1)
    #expect(
      problems { _ = try nations.withCursor(SearchCriteria().prefetch("x")) { try $0.next() } } == ["x: nation has no relationship 'x'"])
  }

  @Test(arguments: try factories())
  func `the longest path runs, on a small stack too`(_ factory: DAOFactory) throws {
    let path = Array(repeating: "neighbour", count: 8).joined(separator: ".")
    var nation = try onSmallStack { try factory.runtimeDAO(Nation.self).find("SK", prefetch: path) }
    for _ in 0..<8 { nation = try #require(nation.neighbour).get() }
    #expect(nation.code == "SK")
    #expect(throws: DAOError.self) { try nation.neighbour?.get() }
  }

  @Test func `a place for rows of another entity is refused`() throws {
    struct Village: Entity {
      var id: Int64
      var lakes = Many<Lake>()

      static let entityDescription = EntityDescription(
        "village", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("nation", .text, optional: true)],
        relationships: [.toOne("nation", Nation.entityDescription, by: "nation")])

      struct Fields: EntityFields { init(path: FieldPath) {} }
      var primaryKey: Int64? { id }
      init(row: inout RowReader) throws { id = try row.next() }
      func write(to row: inout ColumnWriter) throws {
        try row.write(id)
        try row.write("SK")
      }
      static func prefetch(_ rows: inout Prefetching<Village>) throws { try rows.fetch("nation", into: \.lakes) }
    }
    let villages = DAOFactory(over: try EvaluatorStore([Village.entityDescription, Nation.entityDescription])).runtimeDAO(Village.self)
    do { _ = try villages.findAll(SearchCriteria().prefetch("nation")) } catch {
      #expect("\(error)".hasSuffix("village.nation leads to nation, and Lake is none"), "\(error)")
    }
    #expect(throws: DAOError.self) { try villages.findAll(SearchCriteria().prefetch("nation")) }
  }

  @Test func `an entity that passes over rows as it reads them has its own relatives all the same`() throws {
    struct Village: Entity {
      var id: Int64
      var nation: Reference<Nation>

      static let entityDescription = EntityDescription(
        "village", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("nation", .text)],
        relationships: [.toOne("nation", Nation.entityDescription, by: "nation")])

      struct Fields: EntityFields { init(path: FieldPath) {} }
      var primaryKey: Int64? { id }
      init(row: inout RowReader) throws { (id, nation) = (try row.next(), try row.next()) }
      func write(to row: inout ColumnWriter) throws {
        try row.write(id)
        try row.write(nation)
      }
      static func read(_ rows: inout RowCursor, upTo count: Int, into found: inout [Village]) throws {
        while try rows.advance() {
          let village = try Village(row: &rows.row)
          if village.id % 2 == 0 { found.append(village) }
        }
      }
      static func prefetch(_ rows: inout Prefetching<Village>) throws { try rows.fetch("nation", into: \.nation) }
    }
    let store = try TestStore(
      [Village.entityDescription] + Atlas.entities,
      sql: """
        INSERT INTO nation (code, name) VALUES ('SK', 'Slovakia'), ('AT', 'Austria');
        INSERT INTO village VALUES (1, 'SK'), (2, 'AT'), (3, 'AT'), (4, 'SK')
        """)
    let found = try store.factory.runtimeDAO(Village.self).findAll(SearchCriteria().prefetch("nation"))
    #expect(try found.map { "\($0.id) \(try $0.nation.get().name)" } == ["2 Austria", "4 Slovakia"])
  }

  @Test func `an entity that writes more values than it has attributes is told so where its keys are not noted as it is read`() throws {
    struct Village: Entity {
      var id: Int64
      var nation: Reference<Nation>

      static let entityDescription = EntityDescription(
        "village", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("nation", .text)],
        relationships: [.toOne("nation", Nation.entityDescription, by: "nation")])

      struct Fields: EntityFields { init(path: FieldPath) {} }
      var primaryKey: Int64? { id }
      init(row: inout RowReader) throws { (id, nation) = (try row.next(), try row.next()) }
      func write(to row: inout ColumnWriter) throws {
        try row.write(id)
        try row.write(nation)
        try row.write(id)
      }
      static func prefetch(_ rows: inout Prefetching<Village>) throws { try rows.fetch("nation", into: \.nation) }
    }
    let store = try TestStore(
      [Village.entityDescription] + Atlas.entities,
      sql: """
        INSERT INTO nation (code, name) VALUES ('SK', '');
        INSERT INTO village VALUES (1, 'SK')
        """)
    #expect {
      _ = try store.factory.runtimeDAO(Village.self).page(SearchCriteria().prefetch("nation"), size: 10)
    } throws: {
      if case DAOError.invalidValue("village", "value 2", _) = $0 { true } else { false }
    }
  }

  @Test func `an entity without a place for the rows says so`() throws {
    struct Village: Entity {
      var id: Int64
      var nation: String

      static let entityDescription = EntityDescription(
        "village", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("nation", .text)],
        relationships: [.toOne("nation", Nation.entityDescription, by: "nation")])

      struct Fields: EntityFields { init(path: FieldPath) {} }
      var primaryKey: Int64? { id }
      init(row: inout RowReader) throws { (id, nation) = (try row.next(), try row.next()) }
      func write(to row: inout ColumnWriter) throws {
        try row.write(id)
        try row.write(nation)
      }
    }
    let villages = DAOFactory(over: try EvaluatorStore([Village.entityDescription, Nation.entityDescription])).runtimeDAO(Village.self)
    #expect(
      misuse { _ = try villages.findAll(SearchCriteria().prefetch("nation")) }
        == "@Entity, or rows.fetch(\"nation\", into: …) in a prefetch(_:) of your own")
  }
}
