import CriteriaTesting
import DAOCriteria
import Testing

@Suite("Problems of what is too deep or too long")
struct NestingProblemTests {
  @Test func `a filter that is nested too deep`() {
    var filter: Filter<Clock.Zone> = \.standardOffset == 1
    for level in 0..<40 { filter = level % 2 == 0 ? filter && \.standardOffset == 2 : filter || \.standardOffset == 3 }
    #expect(
      checked(.where(filter)).contains(
        "the filter is nested more than 24 levels deep, goes through more than 8 relationships, or too much of both"))
  }

  @Test func `functions nested without end are a problem, and no end of the process`() {
    var operand: Operand<Clock.Zone, String> = .lower(\.name)
    var field = Clock.Zone.Fields(path: .root).name
    for _ in 0..<100_000 {
      operand = .lower(operand)
      field = field.lowercased()
    }
    #expect(checked(.where(operand == "x")).count == 1)
    #expect(checked(.where(field == "x")).count == 1)
  }

  @Test func `a pattern that is too long; other texts may be as long as they like`() {
    let long = String(repeating: "a", count: 20_001)
    assertProblems(.like(\.name, long), "name: has a pattern of more than 20000 bytes")
    assertProblems(.contains(\.name, long))
    assertProblems(.like(\.name, String(long.dropLast())))
    assertProblems(.like(\.name, String(repeating: "%", count: 20_000), caseSensitive: false))
  }
}
