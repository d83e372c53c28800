import DAOMacros
import Foundation
import Testing

/// The code of README.md, over the seed that its factory names.
@Suite struct ReadmeArticle: ArticleTest {
  let article = Article("README.md")

  @Test func `the code of README.md runs and sends its SQL`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("clock.sqlite")
      try screen(url)
      try article.expectSQLAndOutput()
    }
  }

  private func screen(_ url: URL) throws {
    let factory = try DAOFactory(
      store: .file(url, seed: .resource("clock.sqlite", in: .module)),  // copied at first launch, then the user's
      entities: Zone.self, Country.self)
    let zones = factory.dao(ZoneDAO.init)
    let eastern = try zones.east(of: 3600)

    let criteria = SearchCriteria<Zone>
      .where { .like($0.name, "pacific/*", caseSensitive: false) && $0.country.name == "New Zealand" }
      .order(by: .ascending(\.standardOffset), .descending(\.name))
    let page = try zones.page(criteria, size: 20)  // items, next, previous
    let second = try zones.page(criteria, size: 20, after: page.next)
    let report = try zones.project(.group(by: \.country), .max(\.standardOffset), .count)  // [(Reference<Country>?, Int?, Int)]

    try factory.write { session in
      let zones = session.dao(ZoneDAO.init)
      var mine = try zones.find(7)
      mine.comment = "home"
      try zones.update(mine)
    }  // commits, or throws and leaves nothing behind

    #expect(eastern.count == 4 && page.items.map(\.name) == ["Pacific/Auckland", "Pacific/Chatham"] && second.items.count == 2)
    #expect(report.count == 8 && page.next == nil)
    #expect(try zones.find(7).comment == "home")
    article.take(try criteria.sql(for: .sqlite)?.text)
  }
}
