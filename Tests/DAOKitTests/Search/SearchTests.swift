import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Searching for words")
struct SearchTests {
  @Test func `a search is a list of keys from the search table`() throws {
    let store = try TestStore.notes()
    try assertQuery(
      SearchCriteria<Note>.where(.match(\.body, "summer \"time")),
      #"SELECT "id", "title", "the ""body""", "tag", "folderID" FROM "note" WHERE "#
        + #""id" IN (SELECT rowid FROM "note_search" WHERE "note_search" MATCH ?)"#,
      [.text(#""the ""body""" : ("summer" AND "time")"#)], finds: [2], in: store)
    try assertQuery(
      SearchCriteria<Note>.where(!.match(.any("Škoda winter", prefix: true))),
      #"SELECT "id", "title", "the ""body""", "tag", "folderID" FROM "note" WHERE "#
        + #""id" NOT IN (SELECT rowid FROM "note_search" WHERE "note_search" MATCH ?)"#,
      [.text(#""Škoda" OR "winter" *"#)], finds: [1, 4, 5], in: store)
    let phrase = try SearchCriteria<Note>.where(.match(.phrase("time-in; europ", prefix: true))).sql()
    #expect(phrase?.bindings == [.text(#""time in europ" *"#)])
  }

  @Test func `all words, any word, a phrase, and the beginning of the last word`() throws {
    let store = try TestStore.notes()
    #expect(try store.found(.match("summer time")) == [1, 2])
    #expect(try store.found(.match("SUMMER clocks")) == [1])
    #expect(try store.found(.match(\.title, "summer clocks")) == [])
    #expect(try store.found(.match(\.title, "summer time")) == [1])
    #expect(try store.found(.match(.any("winter skoda"))) == [2, 3])
    #expect(try store.found(.match(.phrase("summer time"))) == [1])
    #expect(try store.found(.match(.phrase("time summer"))) == [])
    #expect(try store.found(.match("tim")) == [])
    #expect(try store.found(.match(.all("tim", prefix: true))) == [1, 2, 4])
    #expect(try store.found(.match(.all("sum tim", prefix: true))) == [])
    #expect(try store.found(.match(.phrase("summer ti", prefix: true))) == [1])
    #expect(try store.found(.match("mlada")) == [3])
    #expect(try store.found(.match("MLADÁ")) == [3])
    #expect(try store.found(.match("body", "boleslav")) == [3])
  }

  @Test(arguments: ["", " ", "\0", "\"", "* - +", "…", "\u{301}"])
  func `a text without words finds nothing`(_ text: String) throws {
    let store = try TestStore.notes()
    for query in FullTextQuery.Kind.allCases.flatMap({ [FullTextQuery(text, $0), FullTextQuery(text, $0, prefix: true)] }) {
      #expect(try store.found(.match(query)) == [])
      #expect(try store.found(.match(\.title, query)) == [])
    }
  }

  @Test(
    arguments: [
      "title:summer", "summer OR car", "summer NOT time", "NEAR(summer time, 5)", "sum*", "^summer", "\"summer", "summer\"", "a\"\"b",
      "-summer",
      "+", "(summer", "summer)", "{title body}: summer", "AND", "OR", "NOT", "summer AND", "'; DROP TABLE note; --", "summer\0time", ":",
      "\\",
      "note_search", "\u{FEFF}summer", "🏔summer", "\u{10FFFF}", "a\u{301}\u{327}b",
    ])
  func `what is typed is never a query of its own, nor an error`(_ text: String) throws {
    let store = try TestStore.notes()
    let memory = DAOFactory(over: try EvaluatorStore([Note.entityDescription, Folder.entityDescription])).runtimeDAO(Note.self)
    try memory.insert(Note.samples.map { Note($0.title, $0.body, tag: $0.tag) })
    for query in FullTextQuery.Kind.allCases.flatMap({ [FullTextQuery(text, $0), FullTextQuery(text, $0, prefix: true)] }) {
      for filter in [Filter<Note>.match(query), .match(\.title, query)] {
        #expect(try store.found(filter) == memory.findAllIDs(SearchCriteria.where(filter).order(by: \.id)), "\(text) \(query.kind)")
      }
    }
    #expect(try store.notes.count() == 5)
  }

  @Test func `ten thousand words are looked for; a longer text is refused`() throws {
    let store = try TestStore.notes()
    let many = Array(repeating: "a", count: 10_000).joined(separator: " ")
    #expect(try store.found(.match(.any(many))) == [3])
    #expect(try store.found(.match(.all(many))) == [3])
    #expect(try store.found(.match(.phrase(many))) == [])
    #expect(problems { _ = try store.notes.findAll(.where(.match(.all(many + "bc")))) } == ["searches for a text of more than 20000 bytes"])
  }

  @Test func `it stands wherever a filter does`() throws {
    let store = try TestStore.notes()
    #expect(try store.found(.match("europe") && \.tag == "a") == [1])
    #expect(try store.found(.match("europe") || .match(\.title, "skoda")) == [1, 3, 5])
    #expect(try store.found(!(.match("europe") || \.tag == "summer")) == [2, 3])
    #expect(try store.notes.findAllIDs(.where { $0.title.matches("europe") && $0.id > 1 }) == [5])
    #expect(try store.notes.count(.where(.match("time"))) == 2)
    #expect(try store.notes.exists(.where(.match("boat"))) == false)
    #expect(try store.notes.project(.count, matching: .where(.match("europe"))) == [2])
  }

  @Test func `it goes through relationships`() throws {
    let store = try TestStore.notes()
    #expect(try store.found(.match(\.folder.name, "zones")) == [1, 2])
    let folders = store.factory.runtimeDAO(Folder.self)
    #expect(try folders.findAllIDs(.where(.any(\.notes, .match("summer")))) == [1])
    #expect(try folders.findAllIDs(.where(.none(\.notes, .match("summer")))) == [2])
    #expect(try folders.findAllIDs(.where(.all(\.notes, .match("mlada")))) == [2])
    #expect(try folders.findAllIDs(.where(.count(\.notes, where: .match(.any("summer winter"))) == 2)) == [1])
    #expect(
      try SearchCriteria<Note>.where(.match(\.folder.name, "zones")).sql()?.text.components(separatedBy: "WHERE ").dropFirst()
        .joined(separator: "WHERE ") == #""folderID" IN (SELECT "t1"."id" FROM "folder" AS "t1" "#
        + #"WHERE "t1"."id" IN (SELECT rowid FROM "folder_search" WHERE "folder_search" MATCH ?))"#)
  }

  @Test func `the search table is kept in step by every way to write`() throws {
    let store = try TestStore.notes()
    let notes = store.notes
    var note = try notes.find(4)
    note.body = "a boat"
    try notes.update(note)
    #expect(try store.found(.match("boat")) == [4])
    note.body = nil
    try notes.save(note)
    #expect(try store.found(.match("boat")) == [])
    #expect(try notes.update(.where(.match("europe")), set: .set(\.title, to: "Africa")) == 2)
    #expect(try store.found(.match(\.title, "africa")) == [1, 5])
    #expect(try store.found(.match(\.title, "europe")) == [])
    #expect(try notes.delete(.where(.match("africa") && \.tag == "a")) == 1)
    #expect(try store.found(.match("africa")) == [5])
    var again = Note("Asia again")
    again.id = 5
    _ = try notes.upsert(again)
    #expect(try store.found(.match("asia")) == [5])
    // A cascade deletes too.
    try store.factory.runtimeDAO(Folder.self).delete(1)
    #expect(try store.found(.match("winter")) == [])
    #expect(throws: DAOError.self) {
      try store.factory.write { session in
        try session.runtimeDAO(Note.self).insert(Note("ghost"))
        throw DAOError.unsupported("enough")
      }
    }
    #expect(try store.found(.match("ghost")) == [])
    let key = try notes.insert(Note("the next")).id
    #expect(key == 6 || key == 7)
    try store.checkSearchTables()
  }

  @Test func `savepoints, changed keys, own SQL and VACUUM are followed too`() throws {
    let store = try TestStore.notes()
    try store.factory.write { session in
      let notes = session.runtimeDAO(Note.self)
      try notes.insert(Note("kept words"))
      #expect(throws: DAOError.self) {
        try session.write { inner in
          let notes = inner.runtimeDAO(Note.self)
          #expect(try notes.update(.where(.match("kept")), set: .set(\.title, to: "lost words")) == 1)
          #expect(try notes.findAllIDs(.where(.match("lost"))) == [6])
          throw DAOError.unsupported("enough")
        }
      }
      #expect(try notes.findAllIDs(.where(.match("kept"))) == [6])
      #expect(try notes.findAllIDs(.where(.match("lost"))) == [])
    }
    for sql: SQL in ["DELETE FROM note WHERE id < 3", "UPDATE note SET id = id - 1", "UPDATE note SET id = -id", "VACUUM"] {
      _ = try store.store.execute(sql)
      try store.checkSearchTables()
    }
    #expect(try store.found(.match("kept")) == [-5])
    #expect(try store.found(.match("skoda")) == [-2])
    _ = try store.store.execute("INSERT INTO note (title, tag) SELECT title, tag FROM note")
    #expect(try store.found(.match("kept")).count == 2)
    _ = try store.store.execute("DELETE FROM note")
    try store.checkSearchTables()
    #expect(try store.found(.match("kept")) == [])
  }

  @Test func `triggers make no false outcome, key or count`() throws {
    let store = try TestStore.notes()
    func upsert(_ title: String, _ key: Int64) throws -> UpsertOutcome {
      var note = Note(title)
      note.id = key
      return try store.notes.upsert(note).outcome
    }
    #expect(try upsert("new", 40) == .inserted)
    #expect(try upsert("other", 40) == .updated)
    #expect(try upsert("other", 40) == .unchanged)
    #expect(try store.notes.insert([Note("x"), Note("y")]).map(\.id) == [41, 42])
    #expect(try store.notes.delete([41, 42, 43]) == 2)
    #expect(try store.notes.update(.where(.match("summer")), set: .set(\.tag, to: "t")) == 2)
    #expect(try store.notes.delete(SearchCriteria.where(.match(.any("summer other"))).order(by: \.id).limit(2)) == 2)
    #expect(try store.found(.match(.any("summer other"))) == [40])
    try store.checkSearchTables()
  }

  @Test func `a key of one integer that the program fills is a row id as well`() throws {
    let entity = EntityDescription(
      "place", key: .assigned(["number"]),
      attributes: [Attribute("name", .text, searchable: true), Attribute("number", .integer, column: "the number")])
    let store = try TestStore([entity]).store
    for (number, name) in [(7, "Nowhere at all"), (-3, "Everywhere")] as [(Int64, String)] {
      _ = try store.insert([try DynamicEntity(entity, ["number": .integer(number), "name": .text(name)])], in: EntityTarget(entity))
    }
    var criteria = Criteria()
    criteria.filter = .search(Criteria.Search("nowhere"))
    #expect(try store.count(in: EntityTarget(entity), criteria) == 1)
    criteria.filter = .not(criteria.filter)
    criteria.columns = [Criteria.Column(.field(FieldPath("number")))]
    #expect(try store.report(in: EntityTarget(entity), criteria) { row in try row.takeScalar() } == [-3])
  }

  @Test func `what can't be searched is a problem that says so`() throws {
    let store = try TestStore.notes()
    #expect(
      problems { _ = try store.notes.findAll(.where(.match(\.tag, "summer"))) } == ["tag: is not declared searchable; body, title are"])
    #expect(problems { _ = try store.notes.findAll(.where(.match("titel", "summer"))) }.first?.hasSuffix("did you mean 'title'?") == true)
    #expect(
      problems { _ = try store.notes.findAll(.where(.match("folder.id", "summer"))) } == ["folder.id: is not declared searchable; name is"])
    let zones = try TestStore.zones()
    #expect(problems { _ = try zones.zones.findAll(.where(.match("europe"))) } == ["zone has no attribute that is searchable"])
    #expect(problems { _ = try zones.zones.findAll(.where(.match(\.name, "europe"))) } == ["name: is not declared searchable"])
    #expect(
      problems {
        _ = try store.notes.project(.group(by: \.tag), .count, matching: SearchCriteria.all.having(.match("summer")))
      } == ["having can't search for words"])
  }

  @Test(
    arguments: [
      (EntityDescription("a", key: .assigned(["t"]), attributes: [Attribute("t", .text, searchable: true)]), "one integer"),
      (
        EntityDescription(
          "a", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("n", .integer, searchable: true)]), "no text"
      ),
      (
        EntityDescription(
          "a", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("Rank", .text, searchable: true)]), "FTS5 keeps"
      ),
      (
        EntityDescription(
          "a", source: .view(definition: "SELECT 1"), key: .assigned(["t"]), attributes: [Attribute("t", .text, searchable: true)]), "view"
      ),
    ])
  func `a description says what it can't keep in a search table`(_ entity: EntityDescription, _ word: String) {
    #expect(entity.problems.contains { $0.contains(word) }, "\(entity.problems)")
    #expect(throws: DAOError.self) { try SchemaSQL.statements(for: [entity]) }
  }
}
