import CriteriaTesting
import DAOKit
import DAOTestSupport
import Testing

/// Keeps what was removed, in a table that no Swift type describes.
private final class ArchiveDAO: DAO<DynamicEntity>, @unchecked Sendable {
  func latest() throws -> Scalar? { try findFirst(.all.order(by: .descending(.field("stamp"))))?["name"] }
}

private final class ZonesDAO: DAO<Zone>, @unchecked Sendable {
  func names() throws -> [String] { try findAll(.where { $0.offset > 0 }.order(by: \.name)).map(\.name) }
}

@Suite("DAOs over an entity that the app describes itself")
struct OwnDescriptionTests {
  private static let archive = EntityDescription(
    "archive", table: "removed things", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, column: "what"), Attribute("stamp", .date(.unixSeconds)),
      Attribute("kind", .text, default: "zone"),
    ])

  /// The attributes of `Zone` in another table, some in other columns.
  private static let formerZones = EntityDescription(
    "formerZone", table: "former", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, column: "title"), Attribute("offset", .integer),
      Attribute("comment", .text, optional: true),
    ])

  private func factories() throws -> [DAOFactory] {
    let entities = [Self.archive, Self.formerZones]
    return [try TestStore(entities).factory, DAOFactory(over: try EvaluatorStore(entities))]
  }

  @Test func `generic and custom, of the factory and of a session`() throws {
    for factory in try factories() {
      let things = factory.runtimeDAO(Self.archive)
      for (number, name) in ["a", "b"].enumerated() {
        try things.insert(things.make(["name": .text(name), "stamp": .date(.init(timeIntervalSince1970: Double(number)))]))
      }
      #expect(try factory.dao(of: Self.archive, ArchiveDAO.init).latest() == "b")
      #expect(try things.find(1)["kind"] == "zone" && things.entity === Self.archive)
      try factory.write { session in
        try session.runtimeDAO(Self.archive).delete([[2]])
        #expect(try session.dao(of: Self.archive, ArchiveDAO.init).latest() == "a")
      }
      #expect(problems { _ = try things.findAll(.where { $0.what == 1 }) } == ["what: archive has no attribute 'what'"])
    }
  }

  @Test func `a type's DAO reads another table and other columns`() throws {
    for factory in try factories() {
      let zones = factory.dao(of: Self.formerZones, ZonesDAO.init)
      try zones.insert([Zone("b", 2), Zone("a", 1), Zone("c", 0)])
      #expect(try zones.names() == ["a", "b"] && zones.find(1) == Zone(id: 1, "b", 2))
    }
  }

  @Test func `a description that contradicts itself is refused when it is used`() throws {
    let wrong = EntityDescription("x", key: .generated("no"), attributes: [Attribute("a", .text)])
    let dao = try TestStore().factory.runtimeDAO(wrong)
    #expect(throws: DAOError.self) { try dao.findAll() }
  }
}
