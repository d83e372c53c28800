import DAOMacros
import Testing

/// The code of Documentation/pages.md.
@Suite struct PagesArticle: ArticleTest {
  let article = Article("Documentation/pages.md")

  @Test func `the code of pages.md runs and sends its SQL`() throws {
    let zones = try worldFactory().runtimeDAO(Zone.self)
    try turning(zones)
    try tokens(zones)
    try totals(zones)
    try article.expectSQLAndOutput()
  }

  private func turning(_ zones: RuntimeDAO<Zone>) throws {
    let criteria = SearchCriteria<Zone>.where { $0.country != nil }.order(by: .ascending(\.standardOffset), .descending(\.name))
    let first = try zones.page(criteria, size: 3)
    let second = try zones.page(criteria, size: 3, after: first.next)
    let firstAgain = try zones.page(criteria, size: 3, before: second.previous)

    #expect(first.items.map(\.id) == firstAgain.items.map(\.id) && second.items.count == 3 && first.previous == nil)

    let last = try zones.page(criteria, size: 3, before: nil)
    let third = try zones.page(criteria, number: 3, size: 3)

    #expect(last.next == nil && last.items.count == 3 && third.items.count == 3)

    var page = try zones.page(criteria, size: 3)
    var names = page.items.map(\.name)
    while let next = page.next {
      page = try zones.page(criteria, size: 3, after: next)
      names += page.items.map(\.name)
    }

    #expect(names.count == 9)
  }

  private func tokens(_ zones: RuntimeDAO<Zone>) throws {
    let criteria = SearchCriteria<Zone>.where { $0.country != nil }.order(by: \.name)
    let text = try zones.page(criteria, size: 3).next?.text  // letters, digits, "-" and "_": safe in a URL
    let token = try PageToken(text ?? "")
    let page = try zones.page(criteria, size: 3, after: token)

    #expect(page.items.count == 3)

    do {
      _ = try zones.page(.all.order(by: \.comment), size: 3, after: token)
    } catch {
      print(error)
    }
  }

  private func totals(_ zones: RuntimeDAO<Zone>) throws {
    let criteria = SearchCriteria<Zone>.where { $0.standardOffset >= 0 }.order(by: \.name)
    let exact = try zones.page(criteria, size: 3, total: .exact)
    let capped = try zones.page(criteria, size: 3, total: .atMost(5))

    #expect(exact.total == 8 && capped.total == 5)
  }
}
