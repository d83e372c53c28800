import DAOKit
import Foundation
import Testing

struct Zone: Entity, Hashable {
  var id: Int64?
  var name: String
  var offset: Int
  var comment: String?
  static let entityDescription = EntityDescription(
    "zone", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("offset", .integer), Attribute("comment", .text, optional: true),
    ], indexes: [Index(on: "name", unique: true)])
  struct Fields: EntityFields {
    let path: FieldPath; init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var name: Field<String> { path.field("name") }
    var offset: Field<Int> { path.field("offset") }
    var comment: Field<String?> { path.field("comment") }
  }
  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }
  init(id: Int64? = nil, name: String, offset: Int, comment: String? = nil) {
    self.id = id; self.name = name; self.offset = offset; self.comment = comment
  }
  init(row: inout RowReader) throws { id = try row.next(); name = try row.next(); offset = try row.next(); comment = try row.next() }
  func write(to row: inout ColumnWriter) throws { try row.write(id); try row.write(name); try row.write(offset); try row.write(comment) }
}

@Test func smoke() throws {
  let statements = try SchemaSQL.statements(for: [Zone.entityDescription])
  let engine = try SQLiteEngine(inMemory: { db in for s in statements { try db.execute(sql: s) } })
  let factory = DAOFactory(over: SQLEntityStore(engine))
  let zones = factory.runtimeDAO(Zone.self)
  let saved = try zones.insert([Zone(name: "a", offset: 1), Zone(name: "b", offset: 2, comment: "x"), Zone(name: "c", offset: 2)])
  #expect(saved.map(\.id) == [1, 2, 3])
  #expect(try zones.findAll(.where(\.comment != "x")).map(\.name) == ["a", "c"])
  #expect(try zones.find(2).comment == "x")
  #expect(try zones.count() == 3)
  let rows = try zones.project(.group(by: \.offset), .max(\.name), .count)
  #expect(rows.map(\.0) == [1, 2] && rows.map(\.1) == ["a", "c"] && rows.map(\.2) == [1, 2])
  #expect(try zones.dictionaries(SearchCriteria().project(.max(\.offset))) == [["max:offset": 2]])
  #expect(throws: DAOError.self) { try zones.insert(Zone(name: "a", offset: 1)) }
  let up = try zones.upsert([Zone(name: "a", offset: 1), Zone(name: "b", offset: 5), Zone(name: "d", offset: 1)], on: ["name"])
  #expect(up.map(\.outcome) == [.unchanged, .updated, .inserted])
  #expect(up.map(\.entity.id) == [1, 2, 4])
  try factory.write { session in
    let z = session.runtimeDAO(Zone.self)
    try z.update(Zone(id: 1, name: "aa", offset: 9))
    #expect(throws: DAOError.self) { try zones.count() }
    #expect(throws: DAOError.self) { try factory.read { _ in } }
    try? session.write { s in
      try s.runtimeDAO(Zone.self).delete(.all, allowUnfiltered: true)
      throw CancellationError()
    }
    #expect(try z.count() == 4)
  }
  #expect(try zones.find(1).name == "aa")
  let dynamic = try factory.runtimeDAO("zone")
  #expect(try dynamic.findFirst(.where { $0.name == "b" })?["offset"] == .integer(5))
  #expect(try dynamic.findAll(.where(.in(.field("offset"), [1, 5]))).count == 2)
  #expect(try zones.query("SELECT comment, id, name, offset FROM zone WHERE name = \("b")").map(\.offset) == [5])
  let page = try zones.page(size: 3, withTotal: true)
  #expect(page.hasNext && page.total == 4)
}
