import DAOMacros
import DAOTestSupport
import Testing

/// The code of Documentation/testing.md.
@Suite struct TestingArticle: ArticleTest {
  let article = Article("Documentation/testing.md")

  @Test func easternZones() throws {
    let factory = try DAOFactory(store: .evaluator, entities: Zone.self, Country.self)
    let zones = factory.dao(ZoneDAO.init)
    try zones.insert([Zone(name: "Asia/Kolkata", standardOffset: 19_800), Zone(name: "Europe/London", standardOffset: 0)])
    #expect(try zones.east(of: 0).map(\.name) == ["Asia/Kolkata"])
  }

  @Test func `the code of testing.md runs and sends its SQL`() throws {
    try errors()
    try statements()
    try article.expectSQLAndOutput()
  }

  private func errors() throws {
    let zones = try DAOFactory(store: .evaluator, entities: Zone.self, Country.self).runtimeDAO(Zone.self)
    do {
      try zones.insert(Zone(name: "Asia/Tokyo", standardOffset: 32_400, country: "JP"))
    } catch {
      print(error)
    }
  }

  private func statements() throws {
    let statements = StatementRecorder()
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self, Country.self) { statements.record($0) }
    let zones = factory.dao(ZoneDAO.init)
    try factory.runtimeDAO(Country.self).insert(Country.samples)
    try zones.insert(Zone.samples)

    let run = try statements.during { try zones.east(of: 43_200) }
    #expect(run.result.map(\.name) == ["Pacific/Chatham"] && run.queries.count == 1)

    try assertQuery(
      .where { $0.name == "Asia/Tokyo" }, on: zones,
      sql: #"SELECT "id", "name", "standardOffset", "comment", "country" FROM "zone" WHERE "name" = ?"#,
      bindings: [.text("Asia/Tokyo")], rows: [4], in: statements)

    try expectStatements(atMost: 2, in: statements) { try zones.findAll(.all.prefetch(\.country)) }
    try expectNoRepeats(in: statements) { try zones.findAll(.all.prefetch(\.country)) }  // no statement for each row
    try expectPlan(of: .where { $0.name == "Asia/Tokyo" }, on: zones, usesIndex: "zone_on_name")  // no full scan, no sort

    for text in run.texts { article.take(text) }
  }
}
