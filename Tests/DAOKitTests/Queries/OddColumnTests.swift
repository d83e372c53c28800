import DAOKit
import Foundation
import Testing

@Suite("Columns that other tools made")
struct OddColumnTests {
  @Test func `begins with finds text in a column whose declared type would make a number of it`() throws {
    let store = try TestStore(
      [], sql: #"CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE); INSERT INTO t (d) VALUES ('2026-01-02'), (NULL), (7)"#)
    let rows = try store.factory.runtimeDAO("t")
    #expect(try rows.findAllIDs(.where(.beginsWith(.field("d"), "2026"))) == [[1]])
    #expect(try rows.findAllIDs(.where(!.beginsWith(.field("d"), "2026"))) == [[2], [3]])
    #expect(try rows.findAllIDs(.where(.like(.field("d"), "2026*"))) == [[1]])
  }

  @Test func `a name with dots is a name`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, "a.b" TEXT, c TEXT);
        INSERT INTO t ("a.b") VALUES ('x'), ('y')
        """)
    let rows = try store.factory.runtimeDAO("t")
    #expect(try rows.findAllIDs(.where { $0["a.b"] == "y" }) == [[2]])
    #expect(try rows.update(.where(.field("a.b") == "y"), set: .set("a.b", to: "z")) == 1)
    #expect(try rows.findAll(SearchCriteria().order(by: .descending(.field("a.b")))).map { $0["a.b"] } == ["z", "x"])
    let copy = Assignment<DynamicEntity>(Criteria.Change(.field(FieldPath("c")), .field(FieldPath("a.b"))))
    #expect(try rows.update(.where(.field("a.b") == "z"), set: copy) == 1)
    #expect(try rows.find([2])["c"] == "z")
  }

  @Test func `pages go on from a place whatever the columns are called`() throws {
    let store = try TestStore(
      [],
      sql: #"""
        CREATE TABLE "t?" (id INTEGER PRIMARY KEY, row_key INTEGER NOT NULL, "Row_Key_" INTEGER NOT NULL, "why?" TEXT, "it's" INTEGER);
        INSERT INTO "t?" (row_key, "Row_Key_", "why?", "it's") SELECT value % 3, -value, nullif(value % 4, 0) || '?', value % 5
        FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30]')
        """#)
    let rows = try store.factory.runtimeDAO("t?")
    let criteria = SearchCriteria<DynamicEntity>.where(.field("it's") < 4)
      .order(by: .descending(.field("why?")), .ascending(.field("row_key")), .descending(.field("Row_Key_")))
    let all = try rows.findAll(criteria.limit(100))
    var (found, token): ([DynamicEntity], PageToken?) = ([], nil)
    repeat {
      let page = try rows.page(criteria, size: 4, after: token)
      found += page.items
      token = page.next
    } while token != nil
    #expect(all.count == 24 && found == all)
  }

  @Test(
    arguments: [
      ("CREATE TABLE row_keys (a INTEGER, b TEXT)", "rowid"), ("CREATE TABLE row_keys (a INTEGER, rowid TEXT, b TEXT)", "_rowid_"),
      ("CREATE TABLE row_keys (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, row_key AS (a * 2))", "id"),
      ("CREATE TABLE row_keys (rowid INTEGER PRIMARY KEY, a INTEGER, b TEXT)", "rowid"),
    ])
  func `pages go on from a place in tables without a declared key, and in those with columns that the entity has not`(
    _ table: String, _ key: String
  ) throws {
    let store = try TestStore(
      [],
      sql: table + ";"
        + "INSERT INTO row_keys (a, b) SELECT nullif(value % 3, 0), 'b' || value FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13]')")
    let rows = try store.factory.runtimeDAO("row_keys")
    let criteria = SearchCriteria<DynamicEntity>.all.order(by: .descending(.field("a")))
    let all = try rows.findAll(criteria.limit(100))
    #expect(rows.entity.key.attributes == [key] && all.count == 13)
    for isBackward in [false, true] {
      var (found, token): ([DynamicEntity], PageToken?) = ([], nil)
      repeat {
        let page = try isBackward ? rows.page(criteria, size: 4, before: token) : rows.page(criteria, size: 4, after: token)
        found = isBackward ? page.items + found : found + page.items
        token = isBackward ? page.previous : page.next
      } while token != nil
      #expect(found == all)
    }
  }

  @Test func `a row of 1,500 columns is inserted, updated and saved`() throws {
    let names = (0..<1500).map { "c\($0)" }
    let entity = EntityDescription(
      "wide", key: .generated("id"),
      attributes: [Attribute("id", .integer)] + names.map { Attribute($0, .integer, optional: true) })
    let rows = try TestStore([entity]).factory.runtimeDAO("wide")
    var row = try rows.insert(try rows.make(["c0": 1, "c1499": 2]))
    row["c1499"] = 3
    #expect(try rows.upsert(row).outcome == .updated)
    #expect(try rows.upsert(row).outcome == .unchanged)
    #expect(try rows.find(1)["c1499"] == 3)
  }

  @Test func `a text that is another spelling of a UUID or a date is no value, rather than one that is not found again`() throws {
    let entity = EntityDescription(
      "t", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("u", .uuid(.text), optional: true), Attribute("d", .date(.iso8601), optional: true),
      ])
    for value in ["u) VALUES ('6BA7B810-9DAD-11D1-80B4-00C04FD430C8'", "d) VALUES ('2026-01-02T00:00:00Z'"] {
      let rows = try TestStore([entity], sql: "INSERT INTO t (\(value))").factory.runtimeDAO("t")
      #expect(throws: DAOError.self) { try rows.findAll() }
    }
  }
}
