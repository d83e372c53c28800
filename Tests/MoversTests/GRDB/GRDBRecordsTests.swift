import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-grdb.md, section “Records”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBRecordsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `databaseSelection`() throws {
    let rows = try people.project(.field(\.lastName), .field(\.age))
    #expect(rows.count == 5)
  }

  @Test func `insert(_:)`() throws {
    let person = newPerson
    let new = try people.insert(person)
    #expect(new.id == 6)
  }

  @Test func `insertAndFetch(_:)`() throws {
    let person = newPerson
    let new = try people.refresh(people.insert(person))
    #expect(new.id == 6)
  }

  @Test func `insert(_:onConflict: .ignore)`() throws {
    var person = person
    person.lastName = "Lind"
    let met = try people.upsert(person, on: [\.email], updating: [])
    #expect(met.outcome == .unchanged && met.entity.lastName == "Lee")
  }

  @Test func `update(_:)`() throws {
    var person = person
    person.age = 40
    try people.update(person)
    #expect(try people.find(id).age == 40)
  }

  @Test func `update(_:columns:)`() throws {
    try people.update(.where { $0.id == id }, set: .set(\.age, to: 32))
    #expect(try people.find(id).age == 32)
  }

  @Test func `updateChanges(_:)`() throws {
    var changed = try edited.find(id)
    changed.age = 32
    try edited.update(changed)
    try work.commit()
    #expect(try people.find(id).age == 32)
  }

  @Test func `updateAndFetch(_:)`() throws {
    var person = person
    person.age = 40
    let now = try people.refresh(people.update(person))
    #expect(now.age == 40)
  }

  @Test func `save(_:)`() throws {
    var person = person
    person.age = 40
    let saved = try people.save(person)
    #expect(saved.id == id)
    #expect(try people.find(id).age == 40)
  }

  @Test func `save(_:) as a one-liner`() throws {
    let person = newPerson
    var saved = person
    try saved.save()
    #expect(saved.id == 6)
  }

  @Test func `upsert(_:)`() throws {
    var person = person
    person.age = 40
    let outcome = try people.upsert(person).outcome
    #expect(outcome == .updated)
  }

  @Test func `upsertAndFetch(_:onConflict:doUpdate:)`() throws {
    var person = person
    person.city = "Praha"
    person.lastName = "Lind"
    let met = try people.upsert(person, on: [\.email], updating: [\.city]).entity
    #expect(met.city == "Praha" && met.lastName == "Lee")
  }

  @Test func `delete(_:)`() throws {
    let wasThere = try people.delete(id)
    #expect(wasThere)
  }

  @Test func `exists(_:)`() throws {
    let isThere = try people.exists(id)
    #expect(isThere)
  }

  @Test func `fetchOne(_:key:)`() throws {
    let person = try people.find([id]).first
    #expect(person?.email == email)
  }

  @Test func `fetchAll(_:keys:)`() throws {
    let some = try people.find(ids)
    #expect(keys(some) == ids)
  }

  @Test func `databaseEquals(_:)`() throws {
    try edited.delete(4)
    let changes = try work.changes
    #expect(changes.rows.count == 1)
  }

  @Test func `RecordError.recordNotFound`() throws {
    var person = person
    person.id = 99
    do { try people.update(person) } catch DAOError.notFound(let entity, let key) { print(entity, key) }
    #expect(printed.count == 1)
  }
}
