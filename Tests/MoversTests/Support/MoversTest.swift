import DAOImport
import DAOMacros
import Foundation
import Testing

/// A suite that runs the code of a table: the values that the tables name, over the world's rows.
protocol MoversTest: Sendable {
  var world: World { get }
}

extension MoversTest {
  var factory: DAOFactory { world.factory }
  var people: RuntimeDAO<Person> { factory.runtimeDAO(Person.self) }
  var companies: RuntimeDAO<Company> { factory.runtimeDAO(Company.self) }
  var work: UnitOfWork { world.work }
  var edited: RuntimeDAO<Person> { work.runtimeDAO(Person.self) }
  /// A store in a file that is not there yet.
  var store: StoreDescription { .file(storeURL, version: 2, migration: .automatic) }
  /// The file of `store`.
  var storeURL: URL { world.folder.appendingPathComponent("store.sqlite") }
  /// Another file that is not there yet.
  var url: URL { world.folder.appendingPathComponent("people.sqlite") }
  var email: String { "ann@example.org" }
  var city: String { "Brno" }
  var text: String? { "ov" }
  var id: Int64 { 1 }
  var ids: [Int64] { [1, 2] }
  /// The stored person with the key 1.
  var person: Person {
    var person = Person.samples[0]
    person.id = 1
    return person
  }
  /// A person that is not stored.
  var newPerson: Person { Person(email: "new@example.org", lastName: "Newman", firstName: "Ned", age: 44, city: "Brno") }
  /// Texts whose words can be searched for, in a store of their own.
  var notes: RuntimeDAO<Note> { world.notes }
  /// Members with addresses and scores, in a store of their own.
  var members: RuntimeDAO<Member> { world.members }
  /// The stored company with the key 1.
  var company: Company {
    var company = Company.samples[0]
    company.id = 1
    return company
  }
  /// All persons by their last names: 5, 1, 4, 2, 3.
  var criteria: SearchCriteria<Person> { .where { $0.age > 20 }.order(by: \.lastName) }
  /// A feed that changes the person with the key 1 and adds another one.
  var data: Data {
    Data(
      """
      [{"email": "ann@example.org", "lastName": "Lee", "firstName": "Ann", "age": 32},
       {"email": "joe@example.org", "lastName": "Doe", "firstName": "Joe", "age": 50}]
      """.utf8)
  }

  /// A feed of a text.
  func json(_ text: String) -> ImportSource { .json(Data(text.utf8)) }

  /// A factory over the sample rows in the file of `store`.
  func fileFactory() throws -> DAOFactory { try World.filled(DAOFactory(store: store, entities: Person.self, Company.self)) }

  /// Makes a store at `url` that does not fit the entities.
  func makeOldStore() throws {
    let old = EntityDescription("person", key: .generated("id"), attributes: [Attribute("id", .integer)])
    try DAOFactory(store: .file(url), describedBy: [old]).close()
  }

  /// Makes a store at `url` whose persons have a fax, and an age of another type.
  func makeOtherStore(age: AttributeType = .text) throws {
    let attributes =
      Person.entityDescription.attributes.map { $0.name == "age" ? Attribute("age", age) : $0 } + [Attribute("fax", .text, optional: true)]
    let other = EntityDescription("person", key: .generated("id"), attributes: attributes)
    let factory = try DAOFactory(store: .file(url), describedBy: [other, Company.entityDescription])
    let people = try factory.runtimeDAO("person")
    try people.insert(people.make(["email": .text(email), "lastName": "Lee", "firstName": "Ann", "age": age == .text ? "31" : 31]))
    try factory.close()
  }

  /// Makes a store at `url` that has a table more than the entities.
  func makeStore(withTable name: String) throws {
    let table = EntityDescription(name, key: .assigned(["identifier"]), attributes: [Attribute("identifier", .text)])
    try DAOFactory(store: .file(url), describedBy: [Person.entityDescription, Company.entityDescription, table]).close()
  }

  /// Makes a file at `url` with a table as Core Data names it.
  func makeCoreDataStore() throws {
    let table = EntityDescription(
      "ZPERSON", key: .generated("Z_PK"),
      attributes: [Attribute("Z_PK", .integer), Attribute("ZLASTNAME", .text), Attribute("ZBORN", .real)])
    let factory = try DAOFactory(store: .file(url), describedBy: [table])
    let people = try factory.runtimeDAO("ZPERSON")
    try people.insert(people.make(["ZLASTNAME": "Lee", "ZBORN": .real(86_400)]))
    try factory.close()
  }

  /// Makes a store at `url` whose dates are texts as GRDB writes them.
  func makeGRDBStore() throws {
    let attributes = Person.entityDescription.attributes.map { $0.name == "born" ? Attribute("born", .text, optional: true) : $0 }
    let other = EntityDescription("person", key: .generated("id"), attributes: attributes)
    let factory = try DAOFactory(store: .file(url), describedBy: [other, Company.entityDescription])
    let people = try factory.runtimeDAO("person")
    try people.insert(
      people.make(
        ["email": .text(email), "lastName": "Lee", "firstName": "Ann", "age": 31, "born": "1970-01-02 00:00:00.000"]))
    try factory.close()
  }

  /// The keys of persons.
  func keys(_ people: [Person]) -> [Int64] { people.compactMap(\.id) }

  /// The keys of the persons that a filter finds, in their order.
  func keys(where filter: Filter<Person>) throws -> [Int64] { try people.findAllIDs(.where(filter).order(by: \.id)).compactMap { $0 } }

  /// The keys of the companies that a filter finds, in their order.
  func keys(where filter: Filter<Company>) throws -> [Int64] { try companies.findAllIDs(.where(filter).order(by: \.id)).compactMap { $0 } }

  /// Collects a line, in place of Swift's `print`.
  func print(_ items: Any...) { world.printed.append(items.map { "\($0)" }.joined(separator: " ")) }

  /// The lines that were printed.
  var printed: [String] { world.printed.texts }

  /// The name of the case of `DAOError` that a call throws: `"closed"`.
  func problem(_ body: () throws -> some Any) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return Mirror(reflecting: error).children.first?.label ?? "\(error)"
    }
  }

  /// Calls a closure that doesn't wait, from one that does.
  @discardableResult
  func syncly<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  /// The first value of a sequence that doesn't end.
  func first<Sequence: AsyncSequence>(of sequence: Sequence) async throws -> Sequence.Element? {
    for try await element in sequence { return element }
    return nil
  }

  /// Runs a loop that waits for changes until it has printed something, and makes the change until then.
  func untilPrinted(_ loop: @escaping @Sendable () async throws -> Void, change: () throws -> Void = {}) async throws {
    let before = printed.count
    let task = Task { try await loop() }
    defer { task.cancel() }
    try await waitForPrint(after: before, change: change)
  }

  /// Waits until something is printed, and makes a change until then.
  func waitForPrint(after before: Int, change: () throws -> Void = {}) async throws {
    while printed.count <= before {
      try change()
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Waits until a view's value is as a closure says, for as long as a busy machine takes: a test whose view never shows it does not end.
  @MainActor func wait(until isShown: @MainActor () -> Bool) async throws {
    while !isShown() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// A change of the person with the key 1.
  func makeOlder() throws { try people.execute("UPDATE person SET age = age + 1 WHERE id = 1") }

  /// Runs a body that opens the store named “people”, one test at a time, and removes the store.
  func withNamedStore(_ body: () throws -> Void) throws {
    try NamedStore.lock.withLock {
      try StoreDescription.named("people").destroy()
      try body()
      try StoreDescription.named("people").destroy()
    }
  }
}
