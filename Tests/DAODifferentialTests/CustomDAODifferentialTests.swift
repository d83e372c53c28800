import DAOKit
import Foundation
import Testing

/// An entity as an app has it.
struct Note: Entity, Hashable {
  var id: Int64?
  var tenant: Int
  var title: String
  var body: String?
  var priority: Int
  var deletedAt: Date?

  init(id: Int64? = nil, _ title: String, tenant: Int = 0, body: String? = nil, priority: Int = 0) {
    (self.id, self.tenant, self.title, self.body, self.priority) = (id, tenant, title, body, priority)
  }

  static let entityDescription = EntityDescription(
    "note", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("tenant", .integer), Attribute("title", .text), Attribute("body", .text, optional: true),
      Attribute("priority", .integer), Attribute("deletedAt", .date(.unixMilliseconds), column: "deleted_at", optional: true),
    ], indexes: [Index(on: "tenant", "title", unique: true)])

  /// The same with the priority as the version.
  static let withVersion = EntityDescription(
    "note", key: .generated("id"),
    attributes: entityDescription.attributes.map { $0.name == "priority" ? Attribute("priority", .integer, version: true) : $0 },
    indexes: [Index(on: "tenant", "title", unique: true)])

  mutating func raiseVersion() { priority = priority.nextVersion }

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var tenant: Field<Int> { path.field("tenant") }
    var title: Field<String> { path.field("title") }
    var body: Field<String?> { path.field("body") }
    var priority: Field<Int> { path.field("priority") }
    var deletedAt: Field<Date?> { path.field("deletedAt") }
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    tenant = try row.next()
    title = try row.next()
    body = try row.next()
    priority = try row.next()
    deletedAt = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(tenant)
    try row.write(title)
    try row.write(body)
    try row.write(priority)
    try row.write(deletedAt)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }
}

/// Business logic as an app has it: one tenant's notes, deleted softly, with tidy titles.
final class NoteDAO: DAO<Note>, @unchecked Sendable {
  let tenant: Int

  init(_ context: DAOContext, tenant: Int) {
    self.tenant = tenant
    super.init(context)
  }

  override var scope: Filter<Note> { \.tenant == tenant && \.deletedAt == nil }

  override func insert(_ notes: [Note]) throws -> [Note] {
    try super.insert(
      notes.map { note in
        var note = note
        note.tenant = tenant
        note.title = note.title.trimmingCharacters(in: .whitespaces)
        return note
      })
  }

  override func delete(_ ids: [Int64]) throws -> Int {
    try update(.where(.in(\.id, ids)), set: [.set(\.deletedAt, to: Date(timeIntervalSince1970: 1_800_000_000.5))])
  }

  func urgent() throws -> [Note] {
    try findAll(.where(\.priority == .max(\.priority)).order(by: .ascending(.lower(\.title))))
  }

  func search(_ text: String) throws -> [String] {
    try findAll(.where(.contains(\.title, text, caseSensitive: false) || .contains(\.body, text, caseSensitive: false)).order(by: \.title))
      .map(\.title)
  }

  func perPriority() throws -> [String] {
    try project(
      .group(by: \.priority), .count, .max(\.title),
      matching: SearchCriteria().having { $0.priority.count() > 1 }.order(by: .descending(\.priority))
    ).map { "\($0.0): \($0.1) \($0.2 ?? "-")" }
  }
}

struct CustomDAODifferentialTests {
  /// A day with the app: what every step returned or threw.
  private func day(with factory: DAOFactory) async throws -> [String] {
    var transcript: [String] = []
    func note(_ step: String, _ body: () throws -> Any) {
      do { transcript.append("\(step): \(try body())") } catch let error as DAOError {
        transcript.append("\(step) failed: \(Self.kind(of: error))")
      } catch { transcript.append("\(step) threw: \(error)") }
    }
    let (mine, theirs) = (factory.dao { NoteDAO($0, tenant: 1) }, factory.dao { NoteDAO($0, tenant: 2) })
    let all = factory.runtimeDAO(Note.self)
    func table() throws -> [Note] { try all.findAll(SearchCriteria().order(by: \.id)) }

    note("insert") { try mine.insert([Note(" milk ", priority: 2), Note("Bread", body: "rye, 50%", priority: 2), Note("tea")]) }
    note("insert one") { try theirs.insert(Note("milk", priority: 9)) }
    note("insert none") { try mine.insert([]) }
    note("duplicate") { try mine.insert([Note("salt"), Note("tea  ")]) }
    note("duplicate key") { try mine.insert(Note(id: 2, "two")) }
    note("given key") { try mine.insert(Note(id: 40, "forty", priority: 1)) }
    note("next key") { try mine.insert(Note("next", priority: 1)) }
    note("urgent") { try mine.urgent() }
    note("search") { try mine.search("E") }
    note("search percent") { try mine.search("0%") }
    note("report") { try mine.perPriority() }
    note("dictionaries") {
      try mine.dictionaries(SearchCriteria().project(.average(\.priority), .count(distinct: \.body)))[0].sorted { $0.key < $1.key }
    }
    note("find") { try mine.find(2) }
    note("find theirs") { try mine.find(4) }
    note("find many") { try mine.find([41, 4, 1, 1, 99]).map(\.title) }
    note("first") { try mine.findFirst(.where(\.priority == 1)) as Any }
    note("ids") { try mine.findAllIDs(SearchCriteria().order(by: .descending(\.title))) }
    note("count and exists") {
      "\(try mine.count()) \(try mine.exists(.where(\.title == "Tea"))) \(try mine.exists(4)) \(try mine.exists(1))"
    }
    for number in 1...3 {
      note("page \(number)") { try mine.page(SearchCriteria().order(by: \.priority), number: number, size: 2, total: .exact) }
    }
    note("page after page") {
      let criteria = SearchCriteria<Note>().order(by: .descending(\.priority), .ascending(\.body, nulls: .last))
      var pages = [try mine.page(criteria, size: 2)]
      while let next = pages.last?.next { pages.append(try mine.page(criteria, size: 2, after: next)) }
      return try pages + [
        mine.page(criteria, size: 2, before: nil), mine.page(criteria, size: 1, before: pages.last?.previous, total: .omitted),
      ]
    }
    note("update") { try mine.update([Note(id: 1, "oat milk", tenant: 1, priority: 3), Note(id: 3, "tea", tenant: 1, body: "green")]) }
    note("update one that is missing") { try mine.update([Note(id: 1, "lost", tenant: 1), Note(id: 99, "nobody", tenant: 1)]) }
    note("update theirs") { try mine.update(Note(id: 4, "stolen", tenant: 1)) }
    note("update to a duplicate") { try mine.update(Note(id: 1, "tea", tenant: 1)) }
    note("update by criteria") {
      try mine.update(.where(\.priority < 3), set: .set(\.body, to: .coalesce(\.body, \.title)), .set(\.priority, to: 5))
    }
    note("update page") { try mine.update(SearchCriteria().order(by: .descending(\.id)).limit(1), set: .set(\.body, to: nil)) }
    note("unfiltered") { try mine.delete(.all) }
    note("upsert") {
      try mine.upsert(
        [Note("tea", tenant: 1, body: "black", priority: 5), Note("new", tenant: 1), Note("new", tenant: 1)], on: ["tenant", "title"]
      )
      .map { "\($0.outcome) \($0.entity.id ?? 0)" }
    }
    note("upsert some") {
      try mine.upsert([Note("tea", tenant: 1, body: "white", priority: 7)], on: ["tenant", "title"], updating: ["body"]).map(\.outcome)
    }
    note("upsert theirs") { try mine.upsert([Note("milk", tenant: 2)], on: ["tenant", "title"]).map(\.outcome) }
    note("save") { try mine.save([Note(id: 1, "oat milk", tenant: 1), Note("saved", tenant: 1)]) }
    note("save a duplicate") { try mine.save(Note(id: 1, "tea", tenant: 1)) }
    note("delete softly") { try mine.delete([1, 2, 4]) }
    note("deleted is gone") { try mine.find(1) }
    note("upsert the deleted") { try mine.upsert(Note("Bread", tenant: 1), on: ["tenant", "title"]).outcome }
    note("refresh") { try mine.refresh(Note(id: 3, "old")) }
    note("rolled back") {
      try factory.write { session in
        let mine = session.dao { NoteDAO($0, tenant: 1) }
        try mine.insert(Note("in a session"))
        try? session.write { inner in
          try inner.dao { NoteDAO($0, tenant: 1) }.delete(.all, allowUnfiltered: true)
          throw CancellationError()
        }
        let seen = try mine.count()
        if seen > 0 { throw DAOError.unsupported("\(seen) in the session") }
        return seen
      }
    }
    note("committed") {
      try factory.write { session in
        try session.dao { NoteDAO($0, tenant: 1) }.insert(Note("kept"))
        return try session.runtimeDAO(Note.self).count()
      }
    }
    note("read") { try factory.read { try $0.dao { NoteDAO($0, tenant: 2) }.urgent() } }
    note("delete by criteria") { try mine.delete(.where(.beginsWith(\.title, "ne") && \.priority == .min(\.priority))) }
    note("delete scoped") { try theirs.delete(.all, allowUnfiltered: true) }
    note("table") { try table().map { "\($0)" }.joined(separator: "\n") }
    note("cursor") {
      try theirs.withCursor(SearchCriteria().order(by: \.id)) { cursor in
        var titles: [String] = []
        while let next = try cursor.next() { titles.append(next.title) }
        return titles
      }
    }
    var streamed: [String] = []
    for try await next in mine.stream(SearchCriteria().order(by: .descending(\.title))) { streamed.append(next.title) }
    transcript.append("stream: \(streamed)")
    transcript.append("async insert: \(try await mine.insert(Note("later ")))")
    transcript.append(
      "async delete: \(try await mine.delete(3) as Bool) \(try await mine.findAll(SearchCriteria().order(by: \.id)).map(\.title))")
    return transcript
  }

  private static func kind(of error: DAOError) -> String {
    switch error {
    case .constraint(let constraint, let entity, let attributes, _): "\(constraint) \(entity) \(attributes)"
    case .notFound(let entity, _): "not found \(entity)"
    case .unfiltered(let operation, _): "unfiltered \(operation)"
    default: "\(error)"
    }
  }

  @Test func `a custom DAO runs unchanged on arrays, on SQLite in memory and on a file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let array = try await day(with: DAOFactory(store: .evaluator, entities: Note.self))
    let memory = try await day(with: DAOFactory(over: Stores.sqlite(for: [Note.entityDescription])))
    let file = try await day(with: DAOFactory(store: .file(folder.appending(path: "notes.sqlite")), entities: Note.self))
    for (index, step) in array.enumerated() {
      #expect(memory[index] == step)
      #expect(file[index] == step)
    }
    #expect(array.count == memory.count && array.count == file.count)
    // The logic is the DAO's, whatever the store.
    #expect(array.contains { $0.hasPrefix("duplicate failed: unique note [\"tenant\", \"title\"]") })
    #expect(array.contains("search: [\"Bread\", \"next\", \"tea\"]"))
    #expect(array.contains("report: [\"2: 2 milk\", \"1: 2 next\"]"))
    #expect(array.contains("upsert: [\"updated 3\", \"inserted 42\", \"unchanged 42\"]"))
    #expect(array.contains("delete softly: 2"))
    #expect(array.contains("deleted is gone failed: not found note"))
    #expect(array.contains { $0.hasPrefix("rolled back failed: ") && $0.hasSuffix(" in the session") })
  }

  @Test func `a store in memory takes back what a failed write did, as arrays do`() throws {
    for factory in [try DAOFactory(store: .evaluator, entities: Note.self), try DAOFactory(store: .inMemory(), entities: Note.self)] {
      let notes = factory.runtimeDAO(Note.self)
      #expect(throws: DAOError.self) { try notes.insert([Note("one"), Note("two"), Note("one")]) }
      #expect(try notes.count() == 0)
      #expect(throws: CancellationError.self) {
        try factory.write { session in
          try session.runtimeDAO(Note.self).insert(Note("three"))
          throw CancellationError()
        }
      }
      #expect(try notes.count() == 0)
    }
  }
}
