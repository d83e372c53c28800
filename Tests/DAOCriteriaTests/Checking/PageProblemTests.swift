import CriteriaTesting
import DAOCriteria
import Testing

@Suite("Problems of pages, limits and positions")
struct PageProblemTests {
  private typealias Zones = SearchCriteria<Clock.Zone>

  /// The problems of a page.
  private func paged(_ criteria: Zones, _ request: PageRequest) -> [String] {
    var page = criteria.criteria
    return problems { try page.turn(to: request, in: EntityTarget(Clock.Zone.entityDescription)) }
  }

  @Test func `a page of no size, before the first, beyond all numbers or of a page is refused, all problems together`() {
    #expect(paged(.all, PageRequest(.number(0), size: 0)) == ["the page's number is 0; pages count from 1", "the page's size is 0"])
    #expect(paged(.all, PageRequest(.number(.max), size: 1000)).count == 1)
    #expect(paged(.all, PageRequest(.number(.min), size: 0)).count == 2)
    #expect(paged(.all, PageRequest(size: .max)) == ["the page's size is \(Int.max)"])
    let double = ["the criteria have a limit, an offset or a place, which are the page's here"]
    #expect(paged(.all.limit(5), PageRequest(size: 2)) == double)
    #expect(paged(.all.offset(5), PageRequest(.before(nil), size: 2)) == double)
    #expect(paged(.all, PageRequest(size: 1, total: .atMost(-1))) == ["a total is counted up to -1"])
    let many = Zones.all.order(by: (0..<100).map { .ascending(.coalesce(\.comment, "\($0)")) })
    #expect(paged(many, PageRequest(size: 1)) == ["a page has at most 100 orders, not 101"])
  }

  @Test func `a limit or an offset below 0`() {
    #expect(checked(.all.limit(-1)) == ["limit: is -1; it can't be negative"])
    #expect(checked(.all.limit(1, offset: -2)) == ["offset: is -2; it can't be negative"])
  }

  @Test func `a position takes no offset besides, stands in no report, and has a fitting value for each order`() {
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(.field(FieldPath("standardOffset")))]
    criteria.after = [.integer(6), .integer(1)]
    #expect(checked(Zones(criteria)) == [])
    #expect(checked(Zones(criteria).offset(1)) == ["a place takes no offset besides"])
    #expect(checked(Zones(criteria).project(.count), for: .report) == ["a report of groups or of different rows can't go on from a place"])
    criteria.after = [.integer(6)]
    #expect(checked(Zones(criteria)) == ["the place has 1 values for 2 orders"])
    criteria.after = [.text("6"), .integer(1)]
    #expect(checked(Zones(criteria)) == ["standardOffset: is no integer in the place: '6'"])
  }
}
