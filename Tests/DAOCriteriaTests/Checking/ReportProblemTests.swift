import CriteriaTesting
import DAOCriteria
import Testing

@Suite("Problems of reports and orders")
struct ReportProblemTests {
  private typealias Zones = SearchCriteria<Clock.Zone>

  @Test func `what stands beside aggregates must be grouped by`() {
    let name = Projection<Clock.Zone, String>.field(\.name)
    #expect(checked(.all.project(name, .count), for: .report) == ["name: stands beside aggregates and must be grouped by"])
  }

  @Test func `groups are ordered by what they have, and having speaks of what they have`() {
    #expect(
      checked(.all.project(.group(by: \.standardOffset), .count).order(by: \.name), for: .report)
        == ["name: groups can only be ordered by what they are grouped by and by aggregates"])
    #expect(
      checked(.all.project(.group(by: \.standardOffset)).having(\.name == "x"), for: .report)
        == ["name: having can only speak of what is grouped by and of aggregates"])
    #expect(checked(.all.project(.count).having(.count > 1), for: .report) == ["having needs a projection to group by"])
  }

  @Test func `a distinct report is ordered by what it projects`() {
    #expect(
      checked(.all.project(.field(\.name)).distinct().order(by: \.standardOffset), for: .report)
        == ["standardOffset: a distinct report can only be ordered by what it projects"])
  }

  @Test func `two projections of one name`() {
    #expect(
      checked(.all.project(.count, .count), for: .report)
        == ["count: two projections have the name 'count'; give one another with named(_:)"])
  }

  @Test func `a sum of texts and a mean of texts are both reported`() {
    #expect(checked(.all.project(.sum(\.name), .average(\.comment)), for: .report).count == 2)
  }

  @Test func `a report needs projections, and entities take none`() {
    #expect(checked(.all, for: .report) == ["a report needs projections"])
    #expect(checked(.all.project(.count), for: .entities).count == 1)
  }

  @Test func `rows can't be ordered by an aggregate, of a page neither`() {
    #expect(checked(.all.order(by: .ascending(.max(\.standardOffset)))) == ["rows can't be ordered by an aggregate"])
    #expect(
      checked(.all.project(.count).order(by: .ascending(.count)).limit(1), for: .report) == ["rows can't be ordered by an aggregate"])
  }

  @Test func `distinct and having without projections, whatever is done with the rows`() {
    let distinct = "distinct needs projections, as no two rows are equal; use project"
    let having = "having needs projections to group by"
    let change = Criteria.Change(.field(FieldPath("name")), .value("x"))
    for use in [Criteria.Use.entities, .page, .keys, .count, .exists, .delete, .update([change])] {
      #expect(checked(.all.distinct(), for: use) == [distinct])
      #expect(checked(.all.having(.count > 1), for: use) == [having])
      #expect(checked(Zones.where { $0.standardOffset > 1 }.distinct().having { $0.standardOffset > 2 }, for: use) == [distinct, having])
    }
  }
}
