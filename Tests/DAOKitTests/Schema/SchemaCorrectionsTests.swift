import DAOKit
import Foundation
import Testing

/// What a person knows beyond a store's schema, for entities without Swift types.
@Suite("Corrections of a schema")
struct SchemaCorrectionsTests {
  /// A store without foreign keys, as exports of other databases are.
  private let store: TestStore

  init() throws {
    store = try TestStore(
      [],
      sql: """
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, born DATE, guid TEXT);
        INSERT INTO customers VALUES (1, 'Ana', '1990-02-28', 'A'), (2, 'Ben', '1985-01-01', 'B'), (3, 'Cyd', NULL, 'C');
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total DECIMAL(10,2), placed DATETIME);
        INSERT INTO orders VALUES (1, 1, 0.1 + 0.2, '2024-02-29 10:00:00'), (2, 1, 7, '2024-03-01 00:00:00'),
          (3, 2, 1.5, NULL), (4, 99, 2, NULL),
          (5, NULL, NULL, NULL);
        CREATE TABLE lines (shop INTEGER, number INTEGER, text TEXT, PRIMARY KEY (shop, number));
        CREATE TABLE parts (id INTEGER PRIMARY KEY, shop INTEGER, line INTEGER);
        INSERT INTO lines VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c');
        INSERT INTO parts VALUES (1, 1, 2), (2, 2, 1), (3, 2, 2), (4, NULL, 1);
        CREATE TABLE fans (customer INTEGER, "order.no" INTEGER, PRIMARY KEY (customer, "order.no"));
        INSERT INTO fans VALUES (1, 3), (2, 1), (2, 3);
        CREATE VIEW spent AS SELECT customer_id AS customer, total FROM orders WHERE total IS NOT NULL;
        CREATE VIEW broken AS SELECT missing FROM orders
        """)
  }

  private func factory(_ corrections: SchemaCorrections) -> DAOFactory { DAOFactory(over: store.store, corrections: corrections) }

  @Test func `stated types are read, found, and kept by relationships`() throws {
    let known = SchemaCorrections(
      types: [
        "orders": ["total": .decimal(.numeric(2)), "placed": .date(.text("YYYY-MM-DD HH:MM:SS"))],
        "customers": ["born": .date(.text("YYYY-MM-DD"))],
      ],
      relationships: [StatedForeignKey("orders", "customer_id", to: "customers")])
    let orders = try factory(known).runtimeDAO("orders")
    let third = try #require(Decimal(string: "0.3"))
    #expect(try orders.findAllIDs(.where { $0.total == .decimal(third) }) == [[1]])
    #expect(try orders.find([1])["placed"] == .date(Date(timeIntervalSince1970: 1_709_200_800)))
    // The entity that a relationship leads to has its types too.
    let born = Date(timeIntervalSince1970: 636_163_200)
    #expect(try orders.findAllIDs(.where(.field("customer.born") == .date(born))) == [[1], [2]])
    let row = try orders.find([1], prefetch: "customer")
    #expect(try row.related("customer").map { $0["born"] } == [.date(born)])
    // And back again.
    let back = try #require(try factory(known).entity(named: "customers").relationship("orders")?.target)
    #expect(back["total"]?.type == .decimal(.numeric(2)))
  }

  @Test func `a stated foreign key is a relationship in both directions, and none of the store's`() throws {
    let known = SchemaCorrections(relationships: [StatedForeignKey("orders", "customer_id", to: "customers", "id")])
    let factory = factory(known)
    let orders = try factory.runtimeDAO("orders")
    let customers = try factory.runtimeDAO("customers")
    #expect(try orders.findAllIDs(.where(.field("customer.name") == "Ana")) == [[1], [2]])
    #expect(try orders.findAllIDs(.where { $0["customer.name"] == "Ana" && $0.total > 5 }) == [[2]])
    #expect(try customers.findAllIDs(.where(.any("orders", .field("id") > 2))) == [[2]])
    #expect(try customers.findAllIDs(.where(.none("orders"))) == [[3]])
    #expect(try customers.findAll(.all.prefetch("orders")).map { try $0.related("orders").count } == [2, 1, 0])
    // A row that points to none has no related one.
    #expect(try orders.findAll(.all.prefetch("customer")).map { try $0.related("customer").count } == [1, 1, 1, 0, 0])
    #expect(try orders.findAllIDs(.where(.field("customer.name") == .null)) == [[4], [5]])
    let entity = try factory.entity(named: "orders")
    #expect(entity["customer_id"]?.reference == nil && entity.relationship("customer")?.declaration == .absent)
    #expect(try customers.delete([1]))
    #expect(try orders.find([1])["customer_id"] == 1)
  }

  @Test func `composite foreign keys, and pairs of a table without any`() throws {
    let known = SchemaCorrections(relationships: [
      StatedForeignKey("parts", "shop", "line", to: "lines", "shop", "number"), StatedForeignKey("fans", "customer", to: "customers"),
      StatedForeignKey("fans", "order.no", to: "orders"),
    ])
    let factory = factory(known)
    let parts = try factory.runtimeDAO("parts")
    #expect(try parts.findAllIDs(.where(.field("lines.text") == "b")) == [[1]])
    #expect(try parts.findAll(.all.prefetch("lines")).map { try $0.related("lines").count } == [1, 1, 0, 0])
    #expect(try factory.runtimeDAO("lines").findAllIDs(.where(.any("parts", .field("id") == 2))) == [[2, 1]])
    let customers = try factory.runtimeDAO("customers")
    #expect(try customers.findAllIDs(.where(.any("orders", .field("id") == 3))) == [[1], [2]])
    #expect(try customers.findAll(.all.prefetch("orders")).map { try $0.related("orders").map { $0["id"] } } == [[3], [1, 3], []])
  }

  @Test func `a view has a stated key, and relationships from and to it`() throws {
    let known = SchemaCorrections(
      types: ["spent": ["total": .decimal(.numeric(2))]], keys: ["spent": ["customer"]],
      relationships: [StatedForeignKey("spent", "customer", to: "customers"), StatedForeignKey("customers", "id", to: "spent")])
    let factory = factory(known)
    let spent = try factory.runtimeDAO("spent")
    #expect(try factory.entity(named: "spent").key == .assigned(["customer"]))
    #expect(try spent.find([2])["total"] == .decimal(#require(Decimal(string: "1.5"))))
    #expect(try spent.findAllIDs(.where(.field("customer.name") == "Ben")) == [[2]])
    #expect(try spent.page(SearchCriteria().order(by: .ascending(.field("total"))), size: 2).items.count == 2)
    #expect(throws: DAOError.self) { try spent.insert(try spent.make(["customer": 1])) }
    let customers = try factory.runtimeDAO("customers")
    #expect(try customers.findAllIDs(.where(.any("spent", .field("total") > 6))) == [[1]])
    #expect(try customers.findAllIDs(.where(.field("id.total") < 2)) == [[1], [2]])
  }

  @Test func `every wrong correction is named in one error, with what was probably meant`() throws {
    let wrong = SchemaCorrections(
      types: [
        "order": ["x": .text], "orders": ["totl": .text, "total": .decimal(.numeric(1)), "placed": .date(.text("YYYY-MM")), "id": .text],
        "broken": ["missing": .text],
      ],
      keys: ["orders": ["total"], "spent": ["custmer"]],
      relationships: [
        StatedForeignKey("orders", "customer_id", to: "customer"), StatedForeignKey("orders", "customer_id", to: "lines"),
        StatedForeignKey("orders", "customer_id", to: "customers", "name"), StatedForeignKey("orders", "customer_id", to: "spent"),
      ])
    let error = #expect(throws: DAOError.self) { try factory(wrong).runtimeDAO("orders") }
    guard case .schemaMismatch(_, let differences)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    let lines = differences.map(\.description)
    let expected = [
      #"broken: the entity has a view that can be read, the store has one that can't: no such column: missing"#,
      #"order: the entity has the table or view "order", the store has none of this name; did you mean orders?"#,
      "orders.id: the entity has the type TEXT, the store has", "orders.placed: the entity has the type",
      "orders.total: the entity has the type",
      #"orders.totl: the entity has the column "totl", the store has no such column; did you mean total?"#,
      "orders: the entity has a view with the key total, the store has a table, with the key id",
      #"spent.custmer: the entity has the column "custmer", the store has no such column; did you mean customer?"#,
      #"customer: the entity has the table or view "customer", the store has none of this name; did you mean customers?"#,
      "orders.customer_id: the entity has a column that points to lines, the store has 2: shop, number",
      "orders.customer_id: the entity has values like those of customers.name, TEXT, the store has INTEGER; only columns of one type",
      "orders.customer_id: the entity has a column that points to spent, the store has no key of spent: name its columns",
    ]
    #expect(lines.count == expected.count, "\(lines)")
    for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start), "\(line)") }
  }

  @Test func `what two spellings of one name state differently is refused`() throws {
    func lines(_ corrections: SchemaCorrections) -> [String] {
      do { _ = try factory(corrections).runtimeDAO("orders") } catch DAOError.schemaMismatch(_, let differences) {
        return differences.map(\.description)
      } catch { return ["\(error)"] }
      return []
    }
    let (placed, day) = (AttributeType.date(.text("YYYY-MM-DD HH:MM:SS")), AttributeType.date(.text("YYYY-MM-DD")))
    let types = lines(SchemaCorrections(types: ["Orders": ["PLACED": placed, "placed": day], "orders": ["Placed": placed]]))
    #expect(types.count == 1 && types[0].hasPrefix("Orders.placed: ") && types[0].contains("stated of another spelling"), "\(types)")
    let keys = lines(SchemaCorrections(keys: ["SPENT": ["customer"], "spent": ["total"]]))
    #expect(keys.count == 1 && keys[0].hasPrefix("spent: the entity has the key total, the store has the key customer, stated"), "\(keys)")
    #expect(lines(SchemaCorrections(types: ["ORDERS": ["placed": placed], "orders": ["Placed": placed]])).isEmpty)
    #expect(lines(SchemaCorrections(keys: ["SPENT": ["customer"], "spent": ["Customer"]])).isEmpty)
  }

  @Test func `a stated type compares as its column does, and a row id stays an integer`() throws {
    func problem(_ types: [String: AttributeType]) -> String? {
      do { _ = try factory(SchemaCorrections(types: ["customers": types])).runtimeDAO("customers") } catch { return "\(error)" }
      return nil
    }
    #expect(
      problem(["name": .text(.nocase)])?.contains("customers.name  the entity has the collation NOCASE, the store has the collation BINARY")
        == true)
    #expect(problem(["id": .bool])?.contains("customers.id  the entity has the type BOOLEAN, the store has the row id, an integer") == true)
    #expect(problem(["id": .integer, "name": .text]) == nil)
  }

  @Test func `columns that SQLite would compare by a number are not matched with others`() throws {
    let store = try TestStore(
      [], sql: "CREATE TABLE parent (id INTEGER PRIMARY KEY, num NUMERIC); CREATE TABLE child (id INTEGER PRIMARY KEY, pnum)")
    let known = SchemaCorrections(relationships: [StatedForeignKey("child", "pnum", to: "parent", "num")])
    #expect(throws: DAOError.self) { try DAOFactory(over: store.store, corrections: known).runtimeDAO("child") }
  }

  @Test func `a foreign key that the store declares is there once, stated or not`() throws {
    let store = try TestStore(
      [],
      sql: "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a ON DELETE CASCADE)")
    let known = SchemaCorrections(relationships: [StatedForeignKey("b", "a_id", to: "a", "id")])
    let entity = try DAOFactory(over: store.store, corrections: known).entity(named: "b")
    #expect(entity.relationships.map(\.name) == ["a"] && entity.relationships[0].declaration == .foreignKey)
    #expect(entity["a_id"]?.reference?.onDelete == .cascade)
    // Beside it one to another column may be stated.
    let other = try TestStore(
      [], sql: "CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER); CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a)")
    let second = SchemaCorrections(relationships: [StatedForeignKey("b", "a_id", to: "a", "n")])
    #expect(try DAOFactory(over: other.store, corrections: second).entity(named: "b").relationships.map(\.referenced) == [["id"], ["n"]])
  }

  @Test func `a factory with corrections that its store does not allow is not made`() throws {
    let wrong = SchemaCorrections(keys: ["sold": ["customer"]])
    let error = #expect(throws: DAOError.self) { try DAOFactory(store: .inMemory(), corrections: wrong) }
    #expect(error.map { "\($0)" }?.contains(#"the table or view "sold""#) == true)
    #expect(try DAOFactory(store: .inMemory(), corrections: SchemaCorrections()).store.entities().isEmpty)
  }

  @Test func `names are found in any case, as SQLite finds them`() throws {
    let known = SchemaCorrections(
      types: ["Orders": ["TOTAL": .decimal(.numeric(2))]], relationships: [StatedForeignKey("ORDERS", "Customer_ID", to: "Customers", "ID")]
    )
    let entity = try factory(known).entity(named: "orders")
    #expect(entity["total"]?.type == .decimal(.numeric(2)) && entity.relationship("customer")?.referenced == ["id"])
  }

  @Test func `a key whose names have dots is ordered and paged by`() throws {
    let fans = try factory(SchemaCorrections()).runtimeDAO("fans")
    var (found, token): ([[Scalar]], PageToken?) = ([], nil)
    repeat {
      let page = try fans.page(.all, size: 1, after: token)
      found += page.items.map(\.values)
      token = page.next
    } while token != nil
    #expect(found == [[1, 3], [2, 1], [2, 3]])
  }

  @Test func `the doctor examines the stated forms`() throws {
    let wrong = SchemaCorrections(types: ["orders": ["placed": .date(.text("YYYY-MM-DD"))]])
    let report = try factory(wrong).examine()
    let found = report.findings.filter { $0.kind == .unreadableValue }
    #expect(found.map(\.attribute) == ["placed"] && found.first?.rows == 2, "\(report)")
    let right = SchemaCorrections(types: ["orders": ["placed": .date(.text("YYYY-MM-DD HH:MM:SS"))]])
    #expect(try factory(right).examine().findings.filter { $0.kind == .unreadableValue }.isEmpty)
    #expect(throws: DAOError.self) { try factory(SchemaCorrections(keys: ["nothing": ["x"]])).examine() }
  }

  @Test func `sessions and units of work describe entities with them too`() throws {
    let factory = factory(SchemaCorrections(types: ["orders": ["total": .decimal(.numeric(2))]]))
    let third = try #require(Decimal(string: "0.3"))
    #expect(try factory.read { session in try session.runtimeDAO("orders").find([1])["total"] } == .decimal(third))
    let work = try factory.unitOfWork()
    #expect(try work.runtimeDAO("orders").findAllIDs(.where { $0.total == .decimal(third) }) == [[1]])
  }
}
