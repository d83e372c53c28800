import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-grdb.md, section “SQL”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBSQLTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `db.changesCount`() throws {
    let changed = try people.update(.where { $0.city == city }, set: .set(\.age, to: 30))
    #expect(changed == 2)
  }

  @Test func `db.lastInsertedRowID`() throws {
    let person = newPerson
    let id = try people.insert(person).id
    #expect(id == 6)
  }

  @Test func `Row.fetchAll(_:sql:arguments:)`() throws {
    let rows = try people.query("SELECT lastName, age FROM person") { row in (try row.next(String.self), try row.next(Int.self)) }
    #expect(rows.count == 5)
  }

  @Test func `String.fetchAll(_:sql:)`() throws {
    let ages = try people.query("SELECT age FROM person", as: Int.self)
    #expect(ages.sorted() == [25, 31, 35, 61, 95])
  }

  @Test func `Person.fetchAll(_:sql:arguments:)`() throws {
    let found = try people.query("SELECT * FROM person WHERE city = \(city)")
    #expect(keys(found).sorted() == [1, 5])
  }

  @Test func `Decodable`() throws {
    struct Line: Decodable { var lastName: String; var age: Int }
    let lines = try people.query("SELECT lastName, age FROM person", as: Line.self)
    #expect(lines.map(\.age).max() == 95)
  }

  @Test func `(sql: …)`() throws {
    let part: SQL = "age > \(30)"
    let found = try people.query("SELECT * FROM \(identifier: "person") WHERE \(part)")
    #expect(keys(found).sorted() == [1, 3, 4, 5])
  }

  @Test func `Row.fetchCursor(_:sql:)`() throws {
    let sum = try people.withCursor(criteria) { cursor in
      var sum = 0; while let person = try cursor.next() { sum += person.age }; return sum
    }
    #expect(sum == 247)
  }
}
