import DAOMacros
import Testing

/// The code of Documentation/searching.md.
@Suite struct SearchingArticle: ArticleTest {
  let article = Article("Documentation/searching.md")

  @Entity
  struct Zone {
    @ID var id: Int64?
    @Attribute(.searchable) var name: String
    @Attribute(.searchable) var comment: String?
    var standardOffset: Int
  }

  @Test func `the code of searching.md runs and sends its SQL`() throws {
    let statements = statements
    for statement in try SchemaSQL.statements(for: [Zone.entityDescription]) { article.take(statement) }
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self) { statements.record($0) }
    let zones = factory.runtimeDAO(Zone.self)
    try zones.insert([
      Zone(name: "America/Chicago", comment: "Central time, with summer time", standardOffset: -21_600),
      Zone(name: "Asia/Tokyo", comment: nil, standardOffset: 32_400),
      Zone(name: "America/Regina", comment: "Central time without summer time (most areas)", standardOffset: -21_600),
    ])
    try searching(zones)
    try showing(zones)
    try article.expectSQLAndOutput()
  }

  private func searching(_ zones: RuntimeDAO<Zone>) throws {
    let both = try zones.findAllIDs(.where(.match("central america")))  // each word in any of the searchable attributes
    let typing = try zones.findAllIDs(.where { $0.comment.matches(.all("central ti", prefix: true)) })
    let either = try zones.findAllIDs(.where { $0.comment.matches(.any("winter summer")) })
    let phrase = try zones.findAllIDs(.where { $0.comment.matches(.phrase("without summer")) && $0.standardOffset < 0 })

    #expect(both == [1, 3] && typing == [1, 3] && either == [1, 3] && phrase == [3])
  }

  private func showing(_ zones: RuntimeDAO<Zone>) throws {
    let search = FullTextMatch<Zone>(.all("summer ti", prefix: true))
    let best = try zones.findAllIDs(.where(.match(search)).order(by: .relevance(of: search)).limit(20))

    #expect(best.count == 2)

    let marked = try zones.project(
      .field(\.name), .highlight(\.comment, search, start: "<b>", end: "</b>"),
      .snippet(\.comment, search, start: "<b>", end: "</b>", words: 3), matching: .where(.match(search)))
    for (name, comment, part) in marked { print("\(name): \(comment ?? "") | \(part ?? "")") }
  }
}
