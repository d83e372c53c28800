import DAOKit
import Testing

/// Business logic over what all stores can do.
private final class OfficeDAO: DAO<Zone>, @unchecked Sendable {
  override var scope: Filter<Zone> { \.comment == nil || \.comment != "closed" }

  override func insert(_ entities: [Zone]) throws -> [Zone] {
    try super.insert(entities.map { Zone($0.name, $0.offset, $0.comment == "" ? nil : $0.comment) })
  }

  func east(of offset: Int) throws -> [String] { try findAll(.where(\.offset > offset).order(by: .descending(\.offset))).map(\.name) }

  func close(_ name: String) throws -> Bool {
    guard var zone = try findFirst(.where(\.name == name)) else { return false }
    zone.comment = "closed"
    try update(zone)
    return true
  }
}

@Suite("Another store")
struct OtherStoreTests {
  /// The same steps, whatever the store.
  func run(over factory: DAOFactory) async throws -> [String] {
    var log: [String] = []
    let dao = factory.dao(OfficeDAO.init)
    let names = ["a", "b", "c", "d"]
    let inserted = try await dao.insert(names.enumerated().map { Zone($1, $0 * 10, "") })
    log.append("\(inserted.map { "\($0.id ?? 0) \($0.comment ?? "nil")" })")
    log.append("\(try dao.east(of: 5))")
    log.append("\(try dao.close("c")) \(try dao.close("x")) \(try dao.east(of: 5))")
    log.append("\(try await dao.count()) \(try await dao.exists(3)) \(try await dao.find([4, 3, 1]).map(\.name))")
    do { _ = try await dao.find(3) } catch { log.append("\(error)") }
    do { _ = try await dao.delete(.all) } catch { log.append("\(error)") }
    do { _ = try await dao.findAll(.where(.field("nam") == "x")) } catch { log.append("\(error)") }
    try? await factory.write { session in
      let dao = session.dao(OfficeDAO.init)
      try dao.delete(dao.find(1))
      throw CancellationError()
    }
    let page = try await dao.page(size: 2)
    log.append("\(page.items.map(\.name)) \(page.hasNext)")
    log.append("\(try await dao.delete(.where(\.offset < 15))) \(try await dao.findAllIDs())")
    log.append("\(try await dao.delete(4)) \(try await dao.delete(3)) \(try await dao.count())")
    return log
  }

  @Test("a custom DAO runs unchanged over an array, with the same results as over SQLite")
  func same() async throws {
    let sqlite = try await run(over: TestStore().factory)
    let array = try await run(over: DAOFactory(over: ArrayStore()))
    #expect(sqlite == array)
    #expect(sqlite.count == 10)
  }

  @Test("a store without SQL says so")
  func noSQL() throws {
    let dao = DAOFactory(over: ArrayStore()).runtimeDAO(Zone.self)
    for call in [{ _ = try dao.query("SELECT 1") }, { _ = try dao.execute("SELECT 1") }] as [() throws -> Void] {
      #expect {
        try call()
      } throws: {
        if case DAOError.unsupported = $0 { true } else { false }
      }
    }
  }
}
