import DAOKit
import Foundation
import GRDB
import Testing

@Suite("What errors of writes say")
struct WriteErrorTests {
  @Test func `what breaks a rule is named where the table's name differs in case`() throws {
    let store = try TestStore(
      [],
      sql:
        #"""
        CREATE TABLE "GENRE" ("ID" INTEGER PRIMARY KEY, "Name" TEXT UNIQUE NOT NULL CHECK ("Name" <> 'z')); \#
        INSERT INTO genre VALUES (1, 'a')
        """#
    )
    let genres = store.factory.runtimeDAO(
      EntityDescription(
        "genre", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("title", .text, column: "name", optional: true)])
    )
    #expect(errorText { try genres.insert(genres.make(["id": 2, "title": "a"])) }.contains("unique constraint of genre on title"))
    #expect(errorText { try genres.insert(genres.make(["id": 1, "title": "b"])) }.contains("primary key constraint of genre on id"))
  }

  @Test func `an attribute takes no value that may be of any kind, on SQL and in the evaluator`() throws {
    let entity = EntityDescription(
      "row", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("n", .integer, optional: true), Attribute("w", .any, optional: true)])
    for factory in [try TestStore([entity]).factory, DAOFactory(over: try EvaluatorStore([entity]))] {
      let rows = factory.runtimeDAO(entity)
      try rows.insert(rows.make(["n": 1, "w": 1.5]))
      #expect(errorText { try rows.update(.where { $0.id == 1 }, set: .set("n", to: .field("w"))) }.contains("n: can't take w"))
      #expect(try rows.update(.where { $0.id == 1 }, set: .set("w", to: .field("n"))) == 1)
      #expect(try rows.findAll().map { $0["w"] } == [1])
    }
  }

  @Test func `an upsert on attributes without a unique index says so`() throws {
    for factory in try Towns.stores() {
      let towns = try factory.runtimeDAO("town")
      #expect(
        errorText { try towns.upsert(towns.make(["name": "a"]), on: ["name"]) }
          == #"an upsert of town on name, over which the store has no unique index; use Index(on: "name", unique: true) in the entity, or "#
          + "an upsert on the primary key")
      #expect(
        errorText { try towns.upsert(towns.make(["name": "a"]), on: ["name", "twin"]) }.contains(
          #"Index(on: "name", "twin", unique: true)"#))
      #expect(try towns.count() == 0)
    }
  }

  @Test func `a dynamic entity refuses an attribute that it does not have: at once, or when it is written, with all of them`() throws {
    for factory in try Towns.stores() {
      let towns = try factory.runtimeDAO("town")
      var row = try towns.make(["name": "a"])
      let sound = try towns.insert(row)
      #expect(
        errorText { try row.set("nmae", to: 1) }
          == "the criteria do not fit town: nmae: town has no attribute 'nmae'; did you mean 'name'?")
      try row.set("name", to: "b")
      row["nmae"] = "x"
      row.lnad = 5
      for message in [
        errorText { try towns.insert(row) }, errorText { try towns.upsert(row) }, errorText { try towns.insert([row, row]) },
      ] {
        #expect(message.contains("nmae: town has no attribute 'nmae'; did you mean 'name'?") && message.contains("lnad"), "\(message)")
      }
      row["id"] = sound["id"]
      #expect(errorText { try towns.update(row) }.contains("nmae"))
      #expect(try towns.findAll().map { $0["name"] } == ["a"])
    }
  }

  @Test func `the number of values is that of the statement's, whichever statement fails`() throws {
    let store = try FileStore()
    let zones = store.zones
    try zones.insert(Zone("a", 1))
    let other = try DatabaseQueue(path: store.url.path)
    try other.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE zone RENAME TO area") }
    func counts(_ body: () throws -> some Any) -> Int? {
      do { _ = try body() } catch DAOError.engine(let failure) {
        #expect(
          "\(failure.sql ?? "")".isEmpty
            || "\(DAOError.engine(failure))".contains(failure.argumentCount == 1 ? "[1 value]" : "[\(failure.argumentCount) values]"))
        return failure.argumentCount
      } catch {}
      return nil
    }
    for _ in 1...2 {
      #expect(counts { try zones.insert(Zone("b", 1)) } == 4)
      #expect(counts { try zones.update(Zone(id: 1, "b", 1)) } == 4)
      #expect(counts { try zones.find(1) } == 1)
      #expect(counts { try zones.findAll(.where(.in(\.id, [1, 2]) && \.offset > 5)) } == 2)
      #expect(counts { try zones.findAll() } == 0)
      #expect(counts { try zones.query("SELECT * FROM zone WHERE comment = \(1) OR comment = \("x") OR id = ?2") { _ in } } == 2)
      #expect(counts { try zones.execute("UPDATE zone SET comment = \(1)") } == 1)
    }
    try other.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE area RENAME TO zone") }
    #expect(try zones.find(1).name == "a")
    #expect(try zones.findAll(.where(.in(\.id, [1, 2]))).count == 1)
    // One that fails where it runs.
    #expect(counts { try zones.query("SELECT json(\("{")), \(2)") { _ in } } == 2)
  }
}
