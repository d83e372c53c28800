import DAOMacros
import Testing

@Suite("Entities that are called like types of the library")
struct EntityNameTests {
  let factory: DAOFactory

  init() throws {
    factory = try DAOFactory(
      store: .inMemory(), entities: Page.self, Field.self, Index.self, Order.self, Attribute.self, Filter.self)
  }

  @Test func `are filtered, ordered and read page by page`() throws {
    let orders = factory.dao(OrderDAO.init)
    let indexes = factory.runtimeDAO(Index.self)
    let index = try indexes.insert(Index(title: "all"))
    try orders.insert([Order(total: 3), Order(total: 9, note: "late", index: Reference(#require(index.id))), Order(total: 7)])
    let page = try orders.largest(1, matching: orders.above(5))
    #expect(page.items.map(\.total) == [9] && page.hasNext)
    #expect(try orders.findAll(.where { $0.index.title == "all" && $0.note != nil }).map(\.total) == [9])
    #expect(try orders.project(.sum(\.total), .count).map { [$0.0 ?? 0, $0.1] } == [[19, 3]])
    #expect(try factory.runtimeDAO("index").findAll(.where { $0.title == "all" }).count == 1)
  }

  @Test func `are each other's relationships, and have indexes`() throws {
    let (pages, fields) = (factory.runtimeDAO(Page.self), factory.runtimeDAO(Field.self))
    let page = try pages.insert(Page(title: "first"))
    let key = try #require(page.id)
    try fields.insert([Field(name: "a", page: Reference(key)), Field(name: "b", page: Reference(key))])
    let found = try pages.findAll(.where { $0.fields.any { $0.name == "b" } }.prefetch(\.fields))
    #expect(try found.map { try $0.fields.get().map(\.name) } == [["a", "b"]])
    #expect(throws: DAOError.self) { try fields.insert(Field(name: "a", page: Reference(key))) }
  }

  @Test func `have all kinds of keys and values`() throws {
    let (attributes, filters) = (factory.runtimeDAO(Attribute.self), factory.runtimeDAO(Filter.self))
    try attributes.insert(Attribute(name: "width", value: 1.5))
    try filters.insert([Filter(column: "width", isOn: true), Filter(column: "height", isOn: false)])
    #expect(try attributes.find("width").value == 1.5)
    #expect(try filters.findAll(.where(\.isOn == true)).map(\.column) == ["width"])
  }
}
