import DAOKit
import TestCases

extension Model {
  /// Whether pages of the rows, and counts of them by what they belong to, are as they have to be.
  func checkReads(_ maker: some DAOMaker, of owner: Int) throws {
    func check<Kind: ItemKind>(_ kind: Kind.Type, _ rows: [String: Row]) throws {
      let dao = maker.items(kind)
      let expected = rows.sorted { ($0.value.number, $0.key) < ($1.value.number, $1.key) }.map(\.key)
      let criteria = SearchCriteria<Item<Kind>>.where { $0.owner == owner }
      var page = try dao.page(criteria.order(by: \.number, \.label), size: 4)
      var labels = page.items.map(\.label)
      while page.hasNext, let token = page.next {
        page = try dao.page(criteria.order(by: \.number, \.label), size: 4, after: token)
        labels += page.items.map(\.label)
      }
      if labels != expected { throw TestCases.Difference("pages of \(kind.entity.name): \(labels), not \(expected)") }
      let grouped = try dao.project(.group(by: \.parentLabel), .count, matching: criteria)
      var counts: [String?: Int] = [:]
      for row in rows.values { counts[row.parent, default: 0] += 1 }
      if Dictionary(uniqueKeysWithValues: grouped) != counts {
        throw TestCases.Difference("counts of \(kind.entity.name): \(grouped), not \(counts)")
      }
    }
    for (number, kind) in Kinds.all.enumerated() { try check(kind, rows[number]) }
  }
}
