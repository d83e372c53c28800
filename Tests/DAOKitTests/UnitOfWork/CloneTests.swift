import DAOKit
import Foundation
import Testing

@Suite("Copies in a unit of work")
struct CloneTests {
  private static let order: EntityDescription = EntityDescription(
    "order", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text)],
    relationships: [
      .toMany("lines", CloneTests.line, by: "orderID"),
      .manyToMany("tags", CloneTests.tag, through: CloneTests.orderTag, by: "orderID", to: "tagID"),
    ])
  private static let line: EntityDescription = EntityDescription(
    "line", key: .assigned(["orderID", "number"]),
    attributes: [Attribute("orderID", .integer), Attribute("number", .integer), Attribute("text", .text)],
    relationships: [.toOne("order", CloneTests.order, by: "orderID")])
  private static let tag: EntityDescription = EntityDescription(
    "tag", key: .assigned(["id"]), attributes: [Attribute("id", .uuid(.blob)), Attribute("name", .text)])
  private static let orderTag: EntityDescription = EntityDescription(
    "orderTag", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("orderID", .integer), Attribute("tagID", .uuid(.blob))],
    relationships: [.toOne("order", CloneTests.order, by: "orderID"), .toOne("tag", CloneTests.tag, by: "tagID")])

  /// An order with two lines and a tag, and another order with a line.
  private func store(_ kind: UnitKind) throws -> (factory: DAOFactory, order: DynamicEntity) {
    let factory = try kind.factory([Self.order, Self.line, Self.tag, Self.orderTag])
    func insert(_ entity: EntityDescription, _ values: [String: Scalar]) throws -> DynamicEntity {
      try factory.runtimeDAO(entity).insert(try DynamicEntity(entity, values))
    }
    let order = try insert(Self.order, ["name": "first"])
    let other = try insert(Self.order, ["name": "second"])
    let (id, otherID) = (try #require(order["id"]), try #require(other["id"]))
    for number in [1, 2] { _ = try insert(Self.line, ["orderID": id, "number": .integer(Int64(number)), "text": "line"]) }
    _ = try insert(Self.line, ["orderID": otherID, "number": 1, "text": "another"])
    let tag = try insert(Self.tag, ["id": .uuid(UUID()), "name": "urgent"])
    _ = try insert(Self.orderTag, ["orderID": id, "tagID": try #require(tag["id"])])
    return (factory, order)
  }

  @Test(arguments: UnitKind.allCases)
  func `a copy has another key, and the rows of the relationships that are named lead to it`(kind: UnitKind) throws {
    let (factory, order) = try store(kind)
    let work = try factory.unitOfWork()
    let copy = try work.clone(order, with: "lines", "tags")
    #expect(copy["name"] == "first" && copy["id"] != order["id"])
    let lines = try work.runtimeDAO(Self.line).findAll(.where(.field("orderID") == copy["id"] ?? .null).order(by: \.number))
    #expect(lines.map { $0["number"] } == [1, 2] && lines.map { $0["text"] } == ["line", "line"])
    try work.commit()
    let stored = try #require(try factory.runtimeDAO(Self.order).findAll(.all.order(by: \.id)).last)
    #expect(stored["name"] == "first" && stored["id"] == 3)
    #expect(try factory.runtimeDAO(Self.line).count(.where(.field("orderID") == 3)) == 2)
    #expect(try factory.runtimeDAO(Self.line).count() == 5)
    // The pair is copied, and leads to the same tag.
    let pairs = try factory.runtimeDAO(Self.orderTag).findAll(.all.order(by: \.id))
    #expect(pairs.map { $0["orderID"] } == [1, 3] && pairs[0]["tagID"] == pairs[1]["tagID"])
    #expect(try factory.runtimeDAO(Self.tag).count() == 1)
  }

  @Test(arguments: UnitKind.allCases)
  func `a copy is one step`(kind: UnitKind) throws {
    let (factory, order) = try store(kind)
    let work = try factory.unitOfWork()
    try work.clone(order, with: "lines")
    #expect(try work.runtimeDAO(Self.line).count() == 5)
    try work.undo()
    #expect(try !work.hasChanges && work.runtimeDAO(Self.line).count() == 3)
  }

  @Test(arguments: UnitKind.allCases)
  func `a UUID is made anew, another key is not`(kind: UnitKind) throws {
    let (factory, _) = try store(kind)
    let work = try factory.unitOfWork()
    let tag = try #require(try work.runtimeDAO(Self.tag).findFirst())
    let copy = try work.clone(tag)
    #expect(copy["name"] == tag["name"] && copy["id"] != tag["id"])
    let line = try #require(try work.runtimeDAO(Self.line).findFirst())
    #expect(throws: DAOError.self) { try work.clone(line) }
    #expect(try work.runtimeDAO(Self.line).count() == 3)
  }

  @Test(arguments: UnitKind.allCases)
  func `a relationship to one row and one that is not there are refused, and nothing is copied`(kind: UnitKind) throws {
    let (factory, order) = try store(kind)
    let work = try factory.unitOfWork()
    #expect(throws: DAOError.self) { try work.clone(order, with: "lines", "nothing") }
    let pair = try #require(try work.runtimeDAO(Self.orderTag).findFirst())
    #expect(throws: DAOError.self) { try work.clone(pair, with: "tag") }
    #expect(try !work.hasChanges)
  }
}
