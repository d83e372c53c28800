import DAOMacros
import DAOTestSupport
import Testing

#if canImport(UIKit)
  import UIKit
#endif

/// The code of Documentation/lists.md.
@Suite struct ListsArticle: ArticleTest {
  let article = Article("Documentation/lists.md")

  @Entity
  struct City {
    @ID var id: Int64?
    @Attribute(.unique) var name: String
    var country: String
    var population: Int = 0
  }

  @Test func `the code of lists.md runs, prints its output and sends its SQL`() async throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: City.self) { statements.record($0) }
    let cities = factory.runtimeDAO(City.self)
    try await cities.insert([
      City(name: "Bratislava", country: "SK", population: 475_000), City(name: "Trnava", country: "SK", population: 63_000),
      City(name: "Wien", country: "AT", population: 1_900_000),
    ])
    try await following(factory)
    try await sections(cities)
    try await showing(cities)
    try await window(factory)
    try article.expectSQLAndOutput()
  }

  private func following(_ factory: DAOFactory) async throws {
    let cities = factory.runtimeDAO(City.self)
    let byName = SearchCriteria<City>.where { $0.population > 50_000 }.order(by: \.country, \.name)
    for try await list in cities.fetchedResults(byName, sections: \.country) {
      print(list.sections.map { "\($0.name): \($0.rows.map(\.name).joined(separator: ", "))" })
      guard let changes = list.changes else {
        // The first list is shown as a whole.
        try await cities.insert([
          City(name: "Linz", country: "AT", population: 210_000), City(name: "Praha", country: "CZ", population: 1_300_000),
        ])
        continue
      }
      print("\(changes.inserted.map(Array.init)) \(Array(changes.insertedSections))")
      break
    }
  }

  private func sections(_ cities: RuntimeDAO<City>) async throws {
    let byLetter = cities.fetchedResults(.all.order(by: \.name), sections: .substring(\.name, from: 0, size: 1))
    for try await list in byLetter {
      print(list.sections.map(\.name))
      break
    }

    let byCountry = cities.fetchedResults(.all.order(by: .descending(\.population)), sections: \.country)
    for try await list in byCountry {
      print(list.sections.map { "\($0.name) \($0.rows.count)" })
      break
    }
  }

  private func window(_ factory: DAOFactory) async throws {
    let cities = factory.runtimeDAO(City.self)
    let longList = cities.fetchedResults(.all.order(by: \.name), window: 4)
    for try await list in longList {
      print(list.map(\.name))
      if !list.hasRowsAfter { break }
      // Where a view shows a row that is near the end of the window:
      list.slide(to: list.count - 1)
    }

    let sizes = factory.observe { session in
      try session.runtimeDAO(City.self).project(.group(by: \.country), .count).map { "\($0.0) \($0.1)" }
    }
    for try await sections in sizes {
      print(sections)
      break
    }
  }

  @MainActor private func showing(_ cities: RuntimeDAO<City>) async throws {
    let byName = SearchCriteria<City>.all.order(by: \.country, \.name)
    let shown = LiveValue(cities.fetchedResults(byName, sections: \.country))
    // List {
    //   ForEach(shown.value?.sections ?? []) { section in
    //     Section(section.name) { ForEach(section.rows) { Text($0.name) } }
    //   }
    // }
    let preview = try DAOFactory(store: .evaluator, entities: City.self)
    // #Preview { CityList().environment(\.daoFactory, preview) }
    var lists = preview.runtimeDAO(City.self).fetchedResults(byName).makeAsyncIterator()
    #expect(try await lists.next()?.isEmpty == true)
    while shown.value == nil { try await Task.sleep(for: .milliseconds(1)) }

    let observer = try await cities.observe(1) { city in
      print("\(city.name) has \(city.population) inhabitants")
    } didDelete: {
      print("gone")
    }
    observer.cancel()
  }

  #if canImport(UIKit)
    @MainActor final class Cities {
      private(set) var shown: FetchedResults<City>?

      func apply(_ list: FetchedResults<City>, to collectionView: UICollectionView) {
        collectionView.apply(list.changes) { self.shown = list }
      }
    }
  #endif
}
