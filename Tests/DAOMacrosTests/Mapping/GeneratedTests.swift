import DAOMacros
import Foundation
import Testing

/// What the label of an item says.
enum Shelf: String, AttributeValue { case high, low }

@Entity
struct Item {
  @ID var id: Int64?
  var price: Double
  @Attribute(.generated, .indexed) var total: Double = 0
  var count: Int
  @Attribute(.generated, .column("shelf_name")) var shelf: Shelf = .low
}

@Suite("Generated attributes by @Entity")
struct GeneratedTests {
  @Test func `they are read, and what the property has is not written`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let total = Item.entityDescription["total"]
    #expect(total?.isGenerated == true && total?.defaultValue == nil && Item.entityDescription["price"]?.isGenerated == false)
    let url = folder.appendingPathComponent("items.sqlite")
    let made = try DAOFactory(store: .file(url))
    try made.runtimeDAO(Item.self).execute(
      """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY NOT NULL, price REAL NOT NULL, total REAL NOT NULL AS (price * count), count INTEGER NOT NULL,
        shelf_name TEXT NOT NULL AS (CASE WHEN count > 9 THEN 'high' ELSE 'low' END) STORED)
      """)
    try made.runtimeDAO(Item.self).execute("CREATE INDEX item_on_total ON item (total)")
    try made.close()
    let items = try DAOFactory(store: .file(url), entities: Item.self).runtimeDAO(Item.self)
    var item = try items.insert(Item(price: 1.5, count: 20))
    #expect(item.total == 0 && item.shelf == .low)
    item = try items.refresh(item)
    #expect(item.total == 30 && item.shelf == .high)
    item.total = -1
    try items.update(item)
    #expect(try items.findAll(.where { $0.total == 30 && $0.shelf == .high }).count == 1)
    #expect(throws: DAOError.self) { try DAOFactory(store: .inMemory(), entities: Item.self) }
  }
}
