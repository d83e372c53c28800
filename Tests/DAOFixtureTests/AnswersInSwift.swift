import DAOFixtures
import DAOKit
import Foundation

/// Some of the answers as an app would ask for them: in Swift, of typed entities.
struct AnswersInSwift: Sendable {
  /// By the answers' names.
  private(set) var all: [String: @Sendable (Answer, DAOFactory) throws -> [[StoredValue]]] = [:]

  private mutating func add<E: Entity>(_ name: String, _ criteria: SearchCriteria<E>) {
    all[name] = { answer, factory in try answer.asked(of: factory.runtimeDAO(E.self), criteria) }
  }

  static let musicShop: AnswersInSwift = {
    var answers = AnswersInSwift()
    answers.add(
      "long pieces, the longest first",
      SearchCriteria<Piece>.where { $0.milliseconds > 600_000 }.order(by: .descending(\.milliseconds), .ascending(\.id)).limit(25))
    answers.add("pieces at 0.99", SearchCriteria<Piece>.where { $0.unitPrice == 0.99 })
    answers.add("prices between", SearchCriteria<Piece>.where { .between($0.unitPrice, 1...1.99) })
    answers.add("pieces without a composer", SearchCriteria<Piece>.where { $0.composer == nil }.order(by: \.name).order(by: \.id))
    answers.add("not of a genre, those without one too", SearchCriteria<Piece>.where { $0.genre.id != 7 })
    answers.add("not larger, those of unknown size too", SearchCriteria<Piece>.where { !($0.bytes > 5_000_000) })
    answers.add("live", SearchCriteria<Piece>.where { .like($0.name, "*(Live)") })
    answers.add("contains a percent sign", SearchCriteria<Piece>.where { .contains($0.name, "50%") })
    answers.add(
      "contains a quotation mark or an apostrophe", SearchCriteria<Piece>.where { .contains($0.name, "\"") || .contains($0.name, "'") })
    answers.add(
      "an address without regard to case", SearchCriteria<Customer>.where { .like($0.email, "*@mail.EXAMPLE", caseSensitive: false) })
    answers.add("among genres, or without one", SearchCriteria<Piece>.where { .in($0.genre.id, [3, 5, 8, nil]) }.order(by: \.id))
    answers.add("a name after the other", SearchCriteria<Customer>.where { $0.lastName > $0.firstName })
    answers.add(
      "some after some others", SearchCriteria<Record>.all.order(by: .descending(\.title)).limit(30, offset: 45))
    answers.add(
      "pages with many equals and nulls",
      SearchCriteria<Piece>.where { $0.id <= 700 }.order(by: .ascending(\.composer), .descending(\.unitPrice)))
    answers.add(
      "names by their length",
      SearchCriteria<Performer>.where { $0.name.length() >= 25 }.order(by: .ascending(.length(\.name)), .ascending(\.id)))
    answers.add("a value instead of null", SearchCriteria<Customer>.where { $0.company.coalesce("") == "" })
    answers.add("through two references", SearchCriteria<Piece>.where { .like($0.record.performer.name, "B*") }.order(by: \.id))
    answers.add(
      "ordered through a reference",
      SearchCriteria<Piece>.all.order(by: .ascending(\.genre.name), .descending(\.name)).limit(200))
    answers.add("who reports to the first", SearchCriteria<Staff>.where { $0.superior.email == "staff1@shop.example" })
    answers.add("whose superior has none", SearchCriteria<Staff>.where { $0.superior != nil && $0.superior.superior == nil })
    answers.add("superiors", SearchCriteria<Staff>.where { $0.team.any() }.order(by: \.id))
    answers.add("mixtapes with a dear piece", SearchCriteria<Mixtape>.where { $0.pieces.any { $0.unitPrice > 1.99 } })
    answers.add("pieces on no mixtape", SearchCriteria<Piece>.where { $0.mixtapes.none() })
    answers.add("mixtapes of short pieces only", SearchCriteria<Mixtape>.where { $0.pieces.all { $0.milliseconds < 895_000 } })
    answers.add(
      "performers on a mixtape",
      SearchCriteria<Performer>.where { $0.records.any { $0.pieces.any { $0.mixtapes.any { $0.name == "Favourites" } } } })
    answers.add("performers of many records", SearchCriteria<Performer>.where { $0.records.count() > 5 })
    answers.add("bills of many things", SearchCriteria<Bill>.where { $0.lines.sum { $0.quantity } > 14 })
    answers.add("customers without bills", SearchCriteria<Customer>.where { $0.bills.none() })
    answers.add("as long as the longest", SearchCriteria<Piece>.where { $0.milliseconds == $0.milliseconds.max() })
    answers.add("longer than the mean", SearchCriteria<Piece>.where(.greater(\.milliseconds, .average(\.milliseconds))))
    answers.add(
      "large groups",
      SearchCriteria<Piece>.all.project(.group(by: \.composer), .count).having(.count > 18)
        .order(by: .descending(.count), .ascending(\.composer)))
    answers.add(
      "grouped through a reference",
      SearchCriteria<Piece>.all.project(.group(by: \.genre.name), .count(\.composer)).order(by: \.genre.name))
    answers.add(
      "turnover as a whole",
      SearchCriteria<BillLine>.all.project(.sum(\.unitPrice), .sum(\.quantity), .average(\.unitPrice), .count))
    answers.add("countries", SearchCriteria<Customer>.all.project(.field(\.country)).distinct().order(by: \.country))
    return answers
  }()

  static let tradingCompany: AnswersInSwift = {
    var answers = AnswersInSwift()
    answers.add(
      "dear products, the dearest first",
      SearchCriteria<Trade.Product>.where { $0.price >= 40 }.order(by: .descending(\.price), .ascending(\.name)))
    answers.add("products without a price, or with none to sell", SearchCriteria<Trade.Product>.where { $0.price == nil || $0.stock == 0 })
    answers.add("what is still sold", SearchCriteria<Trade.Product>.where { $0.isDiscontinued == false })
    answers.add("pages over a key of two", SearchCriteria<Trade.OrderDetail>.where { $0.quantity > 60 }.order(by: .descending(\.quantity)))
    answers.add("not shipped", SearchCriteria<Trade.Order>.where { .isNull($0.shipped) }.order(by: \.id))
    answers.add("the orders of a year", SearchCriteria<Trade.Order>.where { $0.date >= "1997" && $0.date < "1998" })
    answers.add("an empty picture", SearchCriteria<Trade.Group>.where { $0.picture == Data() })
    answers.add("without blanks", SearchCriteria<Trade.Region>.where { $0.name.trimmed() != $0.name })
    answers.add("not among words, null too", SearchCriteria<Trade.Transfer>.where { .notIn($0.group, ["select", "from"]) })
    answers.add("through a reference", SearchCriteria<Trade.Order>.where { $0.customer.country == $0.country })
    answers.add("whose superior earns less", SearchCriteria<Trade.Employee>.where { $0.superior.salary < $0.salary })
    answers.add("with two below them at least", SearchCriteria<Trade.Employee>.where { $0.team.count() >= 2 })
    answers.add("who works in a region", SearchCriteria<Trade.Employee>.where { $0.territories.any { $0.region.name == "West" } })
    answers.add("territories of nobody", SearchCriteria<Trade.Territory>.where { $0.employees.none() }.order(by: \.code))
    answers.add("lines with parcels", SearchCriteria<Trade.OrderDetail>.where { $0.parcels.any { $0.pieces > 7 } })
    answers.add("orders without lines", SearchCriteria<Trade.Order>.where { $0.details.none() })
    answers.add(
      "orders of dear things only",
      SearchCriteria<Trade.Order>.where { $0.details.any() && $0.products.all { $0.price > 30 } }.order(by: \.id))
    answers.add(
      "orders of many pieces with a discount",
      SearchCriteria<Trade.Order>.where { $0.details.sum({ $0.quantity }, where: { $0.discount > 0 }) > 120 })
    answers.add(
      "orders by country",
      SearchCriteria<Trade.Order>.all.project(.group(by: \.country), .count, .sum(\.freight), .max(\.date))
        .order(by: .descending(.count), .ascending(\.country)))
    answers.add(
      "a view's rows", SearchCriteria<Trade.CurrentProduct>.where { $0.price > 50 }.order(by: \.name))
    answers.add(
      "a view's report",
      SearchCriteria<Trade.ProductByGroup>.all.project(.group(by: \.group), .sum(\.stock), .max(\.product)).order(by: \.group))
    return answers
  }()
}
