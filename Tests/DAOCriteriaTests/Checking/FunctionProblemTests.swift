import CriteriaTesting
import DAOCriteria
import Testing

@Suite("Problems of functions and aggregates")
struct FunctionProblemTests {
  private static let x = Criteria.Term.field(FieldPath("x"))

  @Test func `functions of what they are not for`() {
    assertProblems(.lower(\.standardOffset) == 1, "standardOffset: lower is for text", "standardOffset: expects text, not 1")
    assertProblems(.abs(\.name) == "x", "name: abs is for numbers, and not for decimals kept as text")
    assertProblems(.round(\.name) == "x", "name: round is for numbers")
    assertProblems(
      \.standardOffset == .sum(\.standardOffset) && .count(\.name) == 1 && .length(\.standardOffset) == 1,
      "standardOffset: length is for text")
  }

  @Test func `functions of too few terms, and aggregates of none or of each other`() {
    assertProblems(Filter(.compare(.function(.lower, []), .equal, .value("x"))), "lower takes one term, not 0")
    let nested = Criteria.Term.aggregate(.max, .aggregate(.min, .field(FieldPath("standardOffset"))))
    assertProblems(Filter(.compare(nested, .equal, .value(1))), "standardOffset: max of another aggregate has no meaning")
    assertProblems(Filter(.compare(.aggregate(.max, nil), .equal, .value(1))), "max needs an attribute")
  }

  @Test func `digits beyond those that there are, and other than integers, are problems`() {
    let entity = EntityDescription("row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .real)])
    func found(_ function: Function, _ terms: [Criteria.Term]) -> [String] {
      var criteria = Criteria()
      criteria.filter = .compare(.function(function, terms), .greater, .value(0))
      return problems { try criteria.check(.count, in: EntityTarget(entity)) }
    }
    #expect(found(.round, [Self.x, .value(15)]) == [])
    #expect(found(.round, [Self.x, .value(16)]) == ["x: takes digits of 0 to 15, not 16"])
    #expect(found(.round, [Self.x, .value(-1)]) == ["x: takes digits of 0 to 15, not -1"])
    #expect(found(.round, [Self.x, .value("2")]) == [#"x: expects an integer for digits, not "2""#])
    #expect(
      found(.concat, [Criteria.Term](repeating: Self.x, count: 127) + [.value("")]).first
        == "x: concat takes at most 126 terms, not 127")
    #expect(found(.round, [Self.x, Self.x]) == ["x: round takes a value for digits"])
    #expect(
      found(.substring, [Self.x, .value(-1)]) == [
        "x: substring is for text", "x: expects text, not 0", "x: takes from of 0 or more, not -1",
      ])
    #expect(found(.substring, [Self.x]) == ["substring takes one term and from, size, not 1"])
    #expect(found(.round, [Self.x, .value(1), .value(1)]) == ["round takes one term and digits, not 3"])
  }

  @Test func `a value of coalesce that can't be set is reported once, with the attribute that is set`() {
    let entity = EntityDescription(
      "row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .text), Attribute("y", .text)])
    let change = Criteria.Change(.field(FieldPath("y")), .function(.coalesce, [Self.x, .value(5)]))
    #expect(problems { try Criteria().check(.update([change]), in: EntityTarget(entity)) } == ["y: expects text, not 5"])
  }
}
