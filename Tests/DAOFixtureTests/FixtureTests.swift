import DAOFixtures
import DAOKit
import Foundation
import Testing

@Suite("Databases as other tools make them, beside SQLite's shell")
struct FixtureTests {
  let folder: FixtureFolder

  init() throws { folder = try FixtureFolder() }

  @Test(arguments: Fixture.all)
  func `every row of every table and view, read without types`(_ fixture: Fixture) throws {
    let url = try folder.write(fixture)
    let factory = try DAOFactory(store: .file(url))
    let entities = try factory.store.entities()
    let shown = try SQLiteShell(database: url).rows(of: entities.map { "SELECT * FROM \"\($0.table)\"" })
    #expect(entities.count == fixture.tableCount)
    for (entity, rows) in zip(entities, shown) {
      let found = try factory.runtimeDAO(entity.name).findAll(.all).map(Answer.stored)
      #expect(Difference(found, rows) == nil, "\(entity.name)")
    }
  }

  @Test(arguments: Fixture.all)
  func `every answer without types`(_ fixture: Fixture) throws {
    let url = try folder.write(fixture)
    let factory = try DAOFactory(store: .file(url))
    let entities = try factory.store.entities()
    for (answer, rows) in zip(fixture.answers, try SQLiteShell(database: url).rows(of: fixture.answers.map(\.sql))) {
      expect(answer, rows) {
        let (entity, criteria) = try answer.criteria(of: entities)
        return try answer.asked(of: factory.runtimeDAO(entity), criteria)
      }
    }
  }

  @Test(arguments: Fixture.all)
  func `every answer of the evaluator`(_ fixture: Fixture) throws {
    let url = try folder.write(fixture)
    let evaluated = try EvaluatedFixture(of: fixture, from: DAOFactory(store: .file(url)))
    for (answer, rows) in zip(fixture.answers, try SQLiteShell(database: url).rows(of: fixture.answers.map(\.sql))) {
      expect(answer, rows) { try evaluated.answer(answer) }
    }
  }

  @Test(arguments: Fixture.all)
  func `every row of every table and view, read into types`(_ fixture: Fixture) throws {
    let url = try folder.write(fixture)
    let factory = try TypedTable.factory(over: url, of: fixture.name)
    let tables = TypedTable.all(of: fixture.name)
    #expect(tables.count == fixture.tableCount)
    for (table, rows) in zip(tables, try SQLiteShell(database: url).rows(of: tables.map { "SELECT * FROM \"\($0.name)\"" })) {
      #expect(Difference(try table.rows(factory), rows, isTyped: true) == nil, "\(table.name)")
    }
  }

  @Test(arguments: Fixture.all)
  func `every answer of typed entities, to criteria with the names that the columns have`(_ fixture: Fixture) throws {
    let url = try folder.write(fixture)
    let factory = try TypedTable.factory(over: url, of: fixture.name)
    let tables = TypedTable.all(of: fixture.name)
    // A reference to a key of two attributes is for descriptions that are written by hand.
    let answers = fixture.answers.filter { !["parcels by their lines", "parcels of no line"].contains($0.name) }
    for (answer, rows) in zip(answers, try SQLiteShell(database: url).rows(of: answers.map(\.sql))) {
      let table = try #require(tables.first { $0.name == answer.entity })
      expect(answer, rows, isTyped: true) { try table.answer(answer, factory) }
    }
  }

  @Test(arguments: Fixture.all)
  func `answers to criteria in Swift`(_ fixture: Fixture) throws {
    let url = try folder.write(fixture)
    let factory = try TypedTable.factory(over: url, of: fixture.name)
    let written = fixture.name == "music-shop" ? AnswersInSwift.musicShop.all : AnswersInSwift.tradingCompany.all
    let answers = fixture.answers.filter { written[$0.name] != nil }
    #expect(answers.count == written.count)
    for (answer, rows) in zip(answers, try SQLiteShell(database: url).rows(of: answers.map(\.sql))) {
      let asked = try #require(written[answer.name])
      expect(answer, rows, isTyped: true) { try asked(answer, factory) }
    }
  }

  @Test(arguments: Fixture.all)
  func `the doctor finds nothing wrong with them`(_ fixture: Fixture) throws {
    let report = try StoreDoctor().examine(try folder.write(fixture))
    #expect(!report.findings.contains { $0.severity == .error }, "\(report)")
  }

  @Test func `they are the same each time, have about a hundred answers, and few of them are empty`() throws {
    #expect(Fixture.all.map(\.answers.count).reduce(0, +) >= 100)
    for fixture in Fixture.all {
      #expect(Set(fixture.answers.map(\.name)).count == fixture.answers.count)
      let url = try folder.write(fixture)
      let another = try FixtureFolder()
      #expect(try Data(contentsOf: url) == Data(contentsOf: another.write(fixture)))
      let rows = try SQLiteShell(database: url).rows(of: fixture.answers.map(\.sql))
      let empty = zip(fixture.answers, rows).filter(\.1.isEmpty).map(\.0.name)
      #expect(empty.count <= 3, "\(empty)")
    }
  }

  private func expect(_ answer: Answer, _ rows: [[StoredValue]], isTyped: Bool = false, _ found: () throws -> [[StoredValue]]) {
    #expect(throws: Never.self, "\(answer.name)") {
      let difference = Difference(try found(), rows, isOrdered: answer.isOrdered, isSum: answer.isSum, isTyped: isTyped)
      #expect(difference == nil, "\(answer.name)")
    }
  }
}
