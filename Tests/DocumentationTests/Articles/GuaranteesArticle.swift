import DAOMacros
import Foundation
import Testing

/// The code of Documentation/guarantees.md.
@Suite struct GuaranteesArticle: ArticleTest {
  let article = Article("Documentation/guarantees.md")

  @Entity
  struct Sale {
    @ID var id: Int64?
    @Attribute(.scaled(2)) var amount: Decimal
    var place: String?
  }

  @Test func `the code of guarantees.md runs and sends its SQL`() throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Sale.self) { statements.record($0) }
    let sales = factory.runtimeDAO(Sale.self)
    try sales.insert([Sale(amount: 0.1, place: "Brno"), Sale(amount: 0.2, place: nil)])

    let notBrno = try sales.count(.where { $0.place != "Brno" })
    let remaining = try sales.count(.where { !($0.place == "Brno") })
    let neither = try sales.count(.where { .in($0.place, []) })

    #expect([notBrno, remaining, neither] as [Int] == [1, 1, 0])

    let total = try sales.project(.sum(\.amount))[0]

    #expect(total == Decimal(string: "0.3"))
    try article.expectSQLAndOutput()
  }
}
