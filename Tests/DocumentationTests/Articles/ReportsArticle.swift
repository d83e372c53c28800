import DAOMacros
import Foundation
import Testing

@Entity
struct Sale {
  @ID var id: Int64?
  var soldAt: Date
  var customer: String
  var total: Decimal
}

/// The code of Documentation/reports.md.
@Suite struct ReportsArticle: ArticleTest {
  let article = Article("Documentation/reports.md")

  @Test func `the code of reports.md runs and sends its SQL`() throws {
    let factory = try worldFactory()
    let zones = factory.runtimeDAO(Zone.self)
    try tuples(zones)
    try groups(zones)
    try months()
    try names(factory)
    try otherRows(zones)
    try ownSQL(zones)
    try article.expectSQLAndOutput()
  }

  private func tuples(_ zones: RuntimeDAO<Zone>) throws {
    let rows = try zones.project(.field(\.name), .length(\.comment), matching: .where { $0.comment != nil })  // [(String, Int?)]
    let totals = try zones.project(.count, .min(\.standardOffset), .average(\.standardOffset), .count(distinct: \.country))

    #expect(rows.count == 5 && totals[0].0 == 10 && totals[0].1 == -21_600 && totals[0].3 == 7)
  }

  private func groups(_ zones: RuntimeDAO<Zone>) throws {
    let byCountry = try zones.project(
      .group(by: \.country.name), .max(\.standardOffset), .count,  // [(String?, Int?, Int)]
      matching: .where { $0.standardOffset != 0 }.having { $0.id.count() > 1 }.order(by: .descending(.max(\.standardOffset))))

    #expect(byCountry.map(\.0) == ["New Zealand", "United States"])

    let byUpperName = try zones.project(.group(by: .upper(\.name)), .count)
    let comments = try zones.project(.field(\.comment), matching: .all.distinct())

    #expect(byUpperName.count == 10 && comments.count == 6)
  }

  private func months() throws {
    let statements = statements
    let sales = try DAOFactory(store: .inMemory(), entities: Sale.self) { statements.record($0) }.runtimeDAO(Sale.self)
    func day(_ number: Int) -> Date { Date(timeIntervalSince1970: 1_767_225_600 + Double(number) * 86_400) }
    try sales.insert([
      Sale(soldAt: day(0), customer: "Eva", total: 12), Sale(soldAt: day(40), customer: "Ján", total: 7),
      Sale(soldAt: day(30), customer: "Adam", total: 0.5), Sale(soldAt: day(-1), customer: "Eva", total: 99),
    ])

    let byMonth = try sales.project(
      .group(by: .startOf(.month, \.soldAt)), .sum(\.total), .groupConcat(\.customer),  // [(Date?, Decimal?, String?)]
      matching: .where { $0.soldAt.year() == 2026 }.order(by: .ascending(.startOf(.month, \.soldAt))))

    #expect(byMonth.map(\.0) == [day(0), day(31)] && byMonth.map(\.1) == [12.5, 7] && byMonth.map(\.2) == ["Adam, Eva", "Ján"])

    let whole = try sales.project(
      .sum(.round(\.total)), .count(distinct: .startOf(.week, \.soldAt)),
      .groupConcat(.upper(\.customer), separator: "; ", order: .descending(\.total), .ascending(\.soldAt)))  // [(Decimal?, Int, String?)]
    let large = try sales.project(
      .group(by: \.customer),
      matching: .all.having { $0.total.rounded().sum() > 10 && $0.customer.groupConcat(order: $0.total.descending()) != "" })

    #expect(whole[0].0 == 119 && whole[0].1 == 3 && whole[0].2 == "EVA; EVA; JÁN; ADAM" && large == ["Eva"])
  }

  private func names(_ factory: DAOFactory) throws {
    let zones = try factory.runtimeDAO("zone")
    let countries = try factory.runtimeDAO("country")
    let named = try zones.dictionaries(
      .all.project(
        .group(by: "country"), .aggregate(.max, "standardOffset"), .groupConcat(.upper(.field("name")), order: .descending(.field("id")))
      )
      .having { $0.name.length().max() > 15 }.order(by: .ascending(.aggregate(.groupConcat(), "name"))))
    let counted = try countries.project(
      .field("name"), .aggregate(.count, over: "zone"), .aggregate(.max, over: "zone", "standardOffset"))

    #expect(named.count == 3 && counted.count == 7)
  }

  struct Line: Decodable {
    var country: String?
    var zones: Int
  }

  private func otherRows(_ zones: RuntimeDAO<Zone>) throws {
    let criteria = SearchCriteria<Zone>.all.project(.group(by: \.country), .count.named("zones"))
    let dictionaries = try zones.dictionaries(criteria)  // [["country": "CZ", "zones": 1], …]
    let lines = try zones.project(criteria, as: Line.self)
    let texts = try zones.project(criteria) { row in
      let (country, count) = (try row.next(String?.self), try row.next(Int.self))
      return "\(country ?? "no country"): \(count)"
    }

    #expect(dictionaries.contains(["country": "NZ", "zones": 2]) && lines.count == 8 && texts.contains("NZ: 2"))
  }

  private func ownSQL(_ zones: RuntimeDAO<Zone>) throws {
    let code = "NZ"
    let found = try zones.query("SELECT * FROM zone WHERE country = \(code) ORDER BY name")
    let lines = try zones.query("SELECT country, count(*) AS zones FROM zone GROUP BY country", as: Line.self)
    let changed = try zones.execute("UPDATE zone SET comment = trim(comment) WHERE comment IS NOT NULL")

    #expect(found.count == 2 && lines.count == 8 && changed == 5)
  }
}
