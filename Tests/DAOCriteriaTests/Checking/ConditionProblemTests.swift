import CriteriaTesting
import DAOCriteria
import Foundation
import Testing

@Suite("Problems of filters")
struct ConditionProblemTests {
  @Test func `an unknown property, with the nearest there is`() {
    assertProblems(
      .field("standardOfset") == 1, "standardOfset: zone has no attribute 'standardOfset'; did you mean 'standardOffset'?")
    assertProblems(.field("somethingElse") == 1, "somethingElse: zone has no attribute 'somethingElse'")
    assertProblems(.field("name.length") == 1, "name.length: zone.name is an attribute of text, which leads nowhere")
  }

  @Test func `a value of the wrong type`() {
    assertProblems(.field("standardOffset") == "x", #"standardOffset: expects integer, not "x""#)
    assertProblems(.field("standardOffset") == 1.5, "standardOffset: expects integer, not 1.5")
    assertProblems(.field("name") == 1, "name: expects text, not 1")
    assertProblems(.field("name") == true, "name: expects text, not true")
    assertProblems(
      .in(.field("standardOffset"), [1, "x", true]), #"standardOffset: expects integer, not "x""#,
      "standardOffset: expects integer, not true")
    assertProblems(.between(.field("standardOffset"), 1, "x"), #"standardOffset: expects integer, not "x""#)
    assertProblems(
      .equal(.field("name"), .field("standardOffset")),
      "name: can't be compared with standardOffset: text and integer, or stored in different forms")
  }

  @Test func `text filters on a number`() {
    assertProblems(.like(\.standardOffset, "1*"), "standardOffset: like is for text, not for integer")
    assertProblems(.contains(\.standardOffset, "1"), "standardOffset: contains is for text, not for integer")
    assertProblems(.beginsWith(\.standardOffset, "1", caseSensitive: false), "standardOffset: beginsWith is for text, not for integer")
    assertProblems(.endsWith(\.id, "1"), "id: endsWith is for text, not for integer")
  }

  @Test func `nil in an ordering comparison, between and text filters`() {
    let (none, noText): (Int?, String?) = (nil, nil)
    let order = "standardOffset: can't be ordered against nil; use isNull or isNotNull"
    assertProblems(.less(\.standardOffset, none), order)
    assertProblems(.lessOrEqual(\.standardOffset, none), order)
    assertProblems(.greater(\.standardOffset, none), order)
    assertProblems(.greaterOrEqual(\.standardOffset, none), order)
    assertProblems(.field("standardOffset") < nil, order)
    assertProblems(.between(\.standardOffset, none, 3), "standardOffset: can't be between nil and a value; use isNull or isNotNull")
    assertProblems(.between(\.standardOffset, 3, none), "standardOffset: can't be between nil and a value; use isNull or isNotNull")
    assertProblems(.like(\.name, noText), "name: like against nil; use isNull or isNotNull")
    assertProblems(.contains(\.name, noText), "name: contains against nil; use isNull or isNotNull")
    assertProblems(.beginsWith(\.name, noText), "name: beginsWith against nil; use isNull or isNotNull")
    assertProblems(.endsWith(\.name, noText, caseSensitive: false), "name: endsWith against nil; use isNull or isNotNull")
  }

  @Test func `nothing in a part that is constant hides a problem in another`() {
    assertProblems(
      .in(\.standardOffset, []) && .field("standardOfset") == 1,
      "standardOfset: zone has no attribute 'standardOfset'; did you mean 'standardOffset'?")
    assertProblems(
      .notIn(\.standardOffset, []) || .like(\.standardOffset, "x"), "standardOffset: like is for text, not for integer")
  }

  @Test func `all problems of a query come together, each once`() {
    let criteria = SearchCriteria<Clock.Zone>
      .where(.field("standardOfset") == 1 && (.like(\.standardOffset, "x") || .field("name") == 2 || .field("standardOfset") == 1))
      .order(by: .ascending(.field("nam"))).limit(-1, offset: -1)
    #expect(
      checked(criteria) == [
        "standardOfset: zone has no attribute 'standardOfset'; did you mean 'standardOffset'?",
        "standardOffset: like is for text, not for integer", "name: expects text, not 2",
        "nam: zone has no attribute 'nam'; did you mean 'name'?", "limit: is -1; it can't be negative",
        "offset: is -1; it can't be negative",
      ])
    do { try criteria.criteria.check(.entities, in: EntityTarget(Clock.Zone.entityDescription)) } catch {
      #expect("\(error)".hasPrefix("the criteria do not fit zone: standardOfset: ") && error.localizedDescription == "\(error)")
    }
  }
}
