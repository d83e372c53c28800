import DAOMacros
import Testing

@Entity
struct Article {
  @ID var id: Int64?
  @Attribute(.searchable) var title: String
  @Attribute(.column("the_body"), .searchable) var body: String?
}

@Suite("Searchable attributes by @Entity")
struct SearchableTests {
  @Test func `searchable attributes are searched, on SQLite and in memory`() throws {
    #expect(Article.entityDescription.searchableAttributes.map(\.column) == ["the_body", "title"])
    for factory in [
      try DAOFactory(store: .inMemory(), entities: Article.self), try DAOFactory(store: .evaluator, entities: Article.self),
    ] {
      let articles = factory.runtimeDAO(Article.self)
      try articles.insert([Article(title: "One", body: "of many"), Article(title: "Many", body: nil)])
      #expect(try articles.findAllIDs(SearchCriteria.where(.match("many")).order(by: \.id)) == [1, 2])
      #expect(try articles.findAllIDs(.where(.match(\.body, .all("ma", prefix: true)))) == [1])
    }
  }
}
