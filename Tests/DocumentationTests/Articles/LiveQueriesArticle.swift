import DAOMacros
import DAOTestSupport
import Testing

/// The code of Documentation/live-queries.md.
@Suite struct LiveQueriesArticle: ArticleTest {
  let article = Article("Documentation/live-queries.md")

  @Entity
  struct City {
    @ID var id: Int64?
    @Attribute(.unique) var name: String
    var country: String
    var population: Int = 0
  }

  @Test func `the code of live-queries.md runs, prints its output and sends its SQL`() async throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: City.self) { statements.record($0) }
    try await following(factory)
    try await totals(factory)
    await showing(factory)
    try article.expectSQLAndOutput()
  }

  private func following(_ factory: DAOFactory) async throws {
    let cities = factory.runtimeDAO(City.self)
    let slovak = SearchCriteria<City>.where { $0.country == "SK" }.order(by: \.name)
    for try await found in cities.observe(slovak) {
      print(found.map(\.name))
      if found.count == 2 { break }
      // Somebody writes meanwhile: this DAO or another one, a session, SQL of your own, another process.
      try await cities.insert(City(name: found.isEmpty ? "Bratislava" : "Trnava", country: "SK"))
    }

    for try await city in cities.observe(1) {
      print(city?.population ?? -1)
      break
    }
    for try await count in cities.observeCount(slovak) {
      print(count)
      break
    }
  }

  private func totals(_ factory: DAOFactory) async throws {
    let cities = factory.runtimeDAO(City.self)
    let totals = factory.observe { session in
      let cities = session.runtimeDAO(City.self)
      let people = try cities.project(.sum(\.population))[0]
      return "\(people ?? 0) people in \(try cities.count()) cities"
    }
    for try await total in totals {
      print(total)
      if total.hasPrefix("475000") { break }
      try await cities.update(.where { $0.name == "Bratislava" }, set: .set(\.population, to: 475_000))
    }
  }

  @MainActor private func showing(_ factory: DAOFactory) async {
    let cities = factory.runtimeDAO(City.self)
    let slovak = SearchCriteria<City>.where { $0.country == "SK" }
    let shown = LiveValue(cities.observe(slovak), initially: [])
    // In a view: List(shown.value) { Text($0.name) }
    while shown.value.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
