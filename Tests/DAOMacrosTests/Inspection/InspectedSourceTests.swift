import DAOKit
import Foundation
import Testing

/// The text that an inspection writes for a store is a file of these tests, so that it compiles, opens the store and reads it.
@Suite("The Swift source of an inspected store")
final class InspectedSourceTests {
  private let folder: URL
  private let store: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-inspected-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = folder.appendingPathComponent("shop.sqlite")
    // In a journal of its own, as other programs leave it.
    let maker = try DAOFactory(store: .file(store), describedBy: [])
    try maker.store.write { store in
      for statement in Self.sql.split(separator: ";\n") { _ = try (store as? EngineStore)?.execute(SQL(stringLiteral: String(statement))) }
    }
    try maker.close()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func inspection() throws -> StoreInspection {
    var shop = try DAOFactory.inspect(store)
    shop.corrections.keys["spent"] = ["customer"]
    shop.corrections.relationships = [
      StatedForeignKey("order", "seller", to: "Sales People"), StatedForeignKey("spent", "customer", to: "customer"),
    ]
    return shop
  }

  @Test func `it is the file beside this one`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("InspectedShop.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let made = try inspection().swiftSource()
    if made != text, let place = ProcessInfo.processInfo.environment["DAO_INSPECTED"] {
      try made.write(toFile: place, atomically: true, encoding: .utf8)
    }
    #expect(made == text)
  }

  @Test func `its entities open the store and read what dynamic ones do`() throws {
    let known = try inspection().corrections
    let dynamic = try DAOFactory(store: .file(store), corrections: known)
    let typed = try DAOFactory(
      store: .file(store), entities: Customer.self, Delivery.self, Keyless.self, Order.self, OrderLine.self, SalesPeople.self, Spent.self,
      Tag.self, Tagged.self, Totals.self)
    func compare<E: Entity>(_ type: E.Type) throws {
      let rows = try typed.runtimeDAO(type).findAll()
      let others = try dynamic.runtimeDAO(type.entityDescription.name).findAll()
      #expect(!rows.isEmpty && rows.count == others.count)
      for (row, other) in zip(rows, others) { #expect(try Self.values(row) == Self.values(other), "\(row)") }
    }
    try compare(Customer.self)
    try compare(Delivery.self)
    try compare(Keyless.self)
    try compare(Order.self)
    try compare(OrderLine.self)
    try compare(SalesPeople.self)
    try compare(Spent.self)
    try compare(Tag.self)
    try compare(Tagged.self)
    try compare(Totals.self)
  }

  /// The stored values of an entity, by their columns.
  private static func values<E: Entity>(_ entity: E) throws -> [String: StoredValue] {
    let description = (entity as? DynamicEntity)?.entity ?? E.entityDescription
    var writer = ColumnWriter(collecting: description.types)
    try entity.write(to: &writer)
    try writer.endRow()
    return Dictionary(uniqueKeysWithValues: zip(description.attributes.map(\.column), writer.values))
  }

  private static let sql = """
    CREATE TABLE "Sales People" (code TEXT PRIMARY KEY, "full name" TEXT NOT NULL,
      boss TEXT REFERENCES "Sales People" (code) ON DELETE SET NULL) STRICT;
    INSERT INTO "Sales People" VALUES ('A1', 'Ana', NULL), ('B2', 'Ben', 'A1');
    CREATE TABLE customer (
      id INTEGER PRIMARY KEY, uid CHAR(36) UNIQUE, born DATE, joined DATETIME NOT NULL,
      active CHAR(1) NOT NULL CHECK (active IN ('Y', 'N')),
      email VARCHAR(80) COLLATE NOCASE, rating INTEGER CHECK (rating BETWEEN 1 AND 5), "default" TEXT, "type.of" TEXT NOT NULL
        CHECK ("type.of" IN ('private', 'firm-or-club', 'default')));
    CREATE INDEX customer_by_joined ON customer (joined);
    INSERT INTO customer VALUES
      (1, '6ba7b810-9dad-41d1-80b4-00c04fd430c8', '1990-02-28', '2024-02-29 10:00:00', 'Y', 'Ana@example.org', 5, 'x', 'private'),
      (2, '6ba7b811-9dad-41d1-80b4-00c04fd430c9', NULL, '2024-03-01 23:59:59', 'N', NULL, NULL, NULL, 'firm-or-club');
    CREATE TABLE "order" (
      number INTEGER, year INTEGER, customer_id INTEGER NOT NULL REFERENCES customer ON DELETE RESTRICT, seller TEXT, total DECIMAL(10,2),
      placedAt INTEGER NOT NULL, payload TEXT, PRIMARY KEY (year, number)) WITHOUT ROWID;
    CREATE INDEX order_by_customer ON "order" (customer_id, placedAt DESC);
    INSERT INTO "order" VALUES
      (1, 2024, 1, 'A1', 19.9, 1709200800000, '{"a": 1}'), (2, 2024, 1, 'B2', 0.1, 1709200900000, NULL),
      (1, 2025, 2, NULL, 7, 1709300800000, '[]');
    CREATE TABLE order_line (
      id INTEGER PRIMARY KEY, year INTEGER NOT NULL, number INTEGER NOT NULL, amount,
      FOREIGN KEY (year, number) REFERENCES "order" ON DELETE CASCADE);
    INSERT INTO order_line VALUES (1, 2024, 1, 3), (2, 2024, 1, 'three');
    CREATE TABLE delivery (id INTEGER PRIMARY KEY, line INTEGER DEFAULT 1 REFERENCES order_line ON DELETE SET DEFAULT, until TIME);
    INSERT INTO delivery VALUES (1, 1, '17:30'), (2, NULL, NULL);
    CREATE TABLE keyless ("class" TEXT NOT NULL, "2nd" BLOB);
    INSERT INTO keyless VALUES ('a', x'00ff'), ('b', NULL);
    CREATE TABLE tag (name TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE tagged (
      customer INTEGER NOT NULL REFERENCES customer ON DELETE CASCADE,
      tag TEXT NOT NULL REFERENCES tag ON DELETE CASCADE, PRIMARY KEY (customer, tag));
    INSERT INTO tag VALUES ('late'), ('vip');
    INSERT INTO tagged VALUES (1, 'vip'), (2, 'late'), (2, 'vip');
    CREATE VIEW spent AS SELECT customer_id AS customer, sum(total) AS total FROM "order" GROUP BY customer_id;
    CREATE VIEW totals AS SELECT year, count(*) AS orders FROM "order" GROUP BY year
    """
}
