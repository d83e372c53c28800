import DAOKit
import Testing

/// Tables that others made, in which several rows have what is one key to criteria.
@Suite("Keys of several rows")
struct RepeatedKeyTests {
  private let countries: RuntimeDAO<DynamicEntity>

  init() throws {
    countries = try TestStore(
      [],
      sql: """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT, parent TEXT REFERENCES country, "_rowid_" INTEGER);
        INSERT INTO country VALUES ('SK', 'a', NULL, 1), (NULL, 'b', 'SK', 1), (NULL, 'c', 'SK', 1), (NULL, 'd', NULL, 1);
        """
    ).factory.runtimeDAO("country")
  }

  private func refused(_ key: String = "code", _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: DAOError.self, sourceLocation: sourceLocation, performing: body)
    guard case .invalidDescription(_, let problems)? = error else {
      Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(
      problems == ["two rows have the same key (\(key)), and a page that ends between them would lose one"], sourceLocation: sourceLocation)
  }

  @Test func `a page that would end between keys that are null is an error`() throws {
    for total in [PageRequest.Total.omitted, .hasNext, .exact, .atMost(2)] {
      refused { _ = try countries.page(size: 1, total: total) }
      refused { _ = try countries.page(size: 2, before: nil, total: total) }
      refused { _ = try countries.page(number: 3, size: 1, total: total) }
    }
    let first = try countries.page(size: 3)
    #expect(try countries.page(size: 3, after: first.next).items.map { $0["code"] } == ["SK"])
    // What they are ordered by tells them apart.
    let byName = SearchCriteria<DynamicEntity>().order(by: .ascending(.field("name")))
    var (names, token): ([Scalar?], PageToken?) = ([], nil)
    repeat {
      let page = try countries.page(byName, size: 1, after: token)
      names += page.items.map { $0["name"] }
      token = page.next
    } while token != nil
    #expect(names == ["a", "b", "c", "d"])
  }

  @Test func `and one between two spellings of a decimal`() throws {
    let entity = EntityDescription("price", key: .assigned(["amount"]), attributes: [Attribute("amount", .decimal(.text))])
    let prices = try TestStore([entity], sql: "INSERT INTO price VALUES ('1.0'), ('1.00'), ('2')").factory.runtimeDAO("price")
    refused("amount") { _ = try prices.page(size: 1, total: .omitted) }
    #expect(try prices.page(size: 2).items.count == 2)
  }

  @Test func `rows whose key is null are updated and deleted as they are found: through a relationship, and by a limit`() throws {
    let ofSlovakia = SearchCriteria<DynamicEntity>.where(.equal(.field("parent.name"), "a"))
    #expect(try countries.count(ofSlovakia) == 2)
    #expect(try countries.update(ofSlovakia, set: .set("name", to: "x")) == 2)
    let byName = SearchCriteria<DynamicEntity>().order(by: .descending(.field("name")))
    #expect(try countries.update(byName.limit(3), set: .set("name", to: "y"), allowUnfiltered: true) == 3)
    #expect(try countries.findAll(byName).map { $0["name"] } == ["y", "y", "y", "a"])
    #expect(try countries.delete(ofSlovakia.limit(1)) == 1)
    #expect(try countries.delete(ofSlovakia) == 1)
    #expect(try countries.findAll(byName).map { $0["name"] } == ["y", "a"])
  }
}
