import DAOKit
import Testing

/// A view has only the key that is said of it: nothing sees to it that no two rows have the same.
@Suite("Pages of views")
struct ViewPageTests {
  private func store(_ names: String) throws -> TestStore {
    try TestStore(
      [],
      sql: """
        CREATE TABLE place (id INTEGER PRIMARY KEY, country TEXT, size REAL);
        INSERT INTO place (country, size) VALUES \(names);
        CREATE VIEW places AS SELECT country FROM place;
        CREATE VIEW offset_count AS SELECT CAST(size AS INTEGER) AS "offset", id AS zones FROM place;
        CREATE VIEW sizes AS SELECT country, size FROM place
        """)
  }

  private func refused(_ entity: String, _ key: String, _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: DAOError.self, sourceLocation: sourceLocation, performing: body)
    guard case .invalidDescription(entity, let problems)? = error else {
      Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(
      problems == ["two rows have the same key (\(key)), and a page that ends between them would lose one"], sourceLocation: sourceLocation)
  }

  @Test func `a page that would end between equal rows is an error, whatever it tells of the rows beyond it`() throws {
    let places = try store("('SK', 1), ('SK', 1), ('SK', 1), ('AT', 1)").factory.runtimeDAO("places")
    for total in [PageRequest.Total.omitted, .hasNext, .exact, .atMost(2)] {
      refused("places", "country") { _ = try places.page(size: 2, total: total) }
      refused("places", "country") { _ = try places.page(size: 1, before: nil, total: total) }
    }
    let first = try places.page(size: 1)
    refused("places", "country") { _ = try places.page(size: 2, after: first.next) }
    #expect(try places.page(size: 4).items.count == 4 && places.page(size: 3, after: first.next, total: .omitted).items.count == 3)
    // Nulls are as equal as others here.
    let nulls = try store("(NULL, 1), (NULL, 2)").factory.runtimeDAO("places")
    refused("places", "country") { _ = try nulls.page(size: 1) }
  }

  @Test func `a numbered page leads to the one before it, so its first row must not be equal to the row before`() throws {
    let places = try store("('SK', 1), ('SK', 1), ('AT', 1), ('CZ', 1)").factory.runtimeDAO("places")
    #expect(try places.page(number: 1, size: 2).items.count == 2)
    #expect(try places.page(number: 2, size: 2).items.count == 2)
    refused("places", "country") { _ = try places.page(number: 4, size: 1) }
    refused("places", "country") { _ = try places.page(number: 2, size: 3, total: .omitted) }
  }

  @Test func `the same of an entity whose description says what is not so`() throws {
    let counts = try store("('SK', 1), ('AT', 1), ('CZ', 2)").factory.runtimeDAO(OffsetCount.self)
    refused("offset_count", "offset") { _ = try counts.page(size: 1) }
    // What it is ordered by tells the rows apart.
    let first = try counts.page(.all.order(by: \.zones), size: 1)
    #expect(try counts.page(.all.order(by: \.zones), size: 2, after: first.next).items.map(\.zones) == [2, 3])
  }

  @Test func `rows that differ in any column are paged as any, in both directions`() throws {
    let sizes = try store("('SK', 1), ('SK', 2), ('SK', NULL), (NULL, 2), (NULL, 1), ('AT', 1)").factory.runtimeDAO("sizes")
    let all = try sizes.findAll(.all.order(by: .ascending(.field("country")), .ascending(.field("size"))))
    var (found, token): ([DynamicEntity], PageToken?) = ([], nil)
    repeat {
      let page = try sizes.page(size: 1, after: token)
      found += page.items
      token = page.next
    } while token != nil
    #expect(found == all && found.count == 6)
    token = nil
    found = []
    repeat {
      let page = try sizes.page(size: 2, before: token, total: .exact)
      #expect(page.total == 6)
      found = page.items + found
      token = page.previous
    } while token != nil
    #expect(found == all)
  }
}
