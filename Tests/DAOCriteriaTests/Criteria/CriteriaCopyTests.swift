import DAOCriteria
import Testing

/// A query shares its parts with copies until one of them is changed.
@Suite("Copies of a query")
struct CriteriaCopyTests {
  /// Each way to change a plain criteria.
  static let changes: [@Sendable (inout Criteria) -> Void] = [
    { $0.filter = .constant(false) }, { $0.orders.append(Criteria.Ordering(.field(FieldPath("name")))) },
    { $0.columns.append(Criteria.Column(.aggregate(.count, nil), name: "all")) }, { $0.having = .constant(false) },
    { $0.isDistinct.toggle() }, { $0.limit = 3 }, { $0.offset = 4 }, { $0.after = [.integer(1)] },
    { $0.prefetches.append(Criteria.Prefetch(FieldPath("maker"))) },
  ]

  @Test(arguments: changes.indices)
  func `A change shows in the copy that was changed alone`(_ index: Int) {
    let original = Criteria()
    var copy = original
    Self.changes[index](&copy)
    #expect(copy != original)
    #expect(original == Criteria())

    let kept = copy
    copy.limit = 99
    #expect(kept != copy)
    copy.limit = kept.limit
    #expect(kept == copy)
    #expect(kept.hashValue == copy.hashValue)
  }

  @Test func `What is built on a query leaves it as it was, and the branches apart`() {
    let trunk = SearchCriteria<Item>.where(\.price > 1).order(by: \.name)
    let cheap = trunk.filter(\.price < 5).limit(10)
    let dear = trunk.order(by: \.note).filter(\.price > 5).limit(20, offset: 2)
    #expect(trunk == .where(\.price > 1).order(by: \.name))
    #expect(cheap == .where(\.price > 1).order(by: \.name).filter(\.price < 5).limit(10))
    #expect(dear == .where(\.price > 1).order(by: \.name, \.note).filter(\.price > 5).limit(20).offset(2))
    #expect(SearchCriteria<Item>.all == SearchCriteria(Criteria()))
  }

  @Test func `Orders by one attribute and by several are the same orders`() {
    #expect(SearchCriteria<Item>.all.order(by: \.name).order(by: \.price) == .all.order(by: \.name, \.price))
    #expect(SearchCriteria<Item>.all.order(by: \.name) == .all.order(by: .ascending(\.name)))
  }

  @Test func `A query is printed with its parts`() {
    let shown = String(describing: SearchCriteria<Item>.all.order(by: \.name).limit(3).criteria)
    #expect(shown.hasPrefix("Criteria(filter: "))
    #expect(shown.contains("name"))
    #expect(shown.contains("limit: Optional(3)"))
  }
}
