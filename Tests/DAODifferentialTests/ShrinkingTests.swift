import DAODifferential
import DAOKit
import Testing

struct ShrinkingTests {
  @Test func `a failing case shrinks to what makes it fail`() throws {
    var random = RandomSource(seed: DifferentialTests.seed)
    var rows = Everything.rows(20, &random)
    rows[13]["text"] = "culprit"
    let culprit = Condition.compare(.field(FieldPath("text")), .equal, .value("culprit"))
    var generator = RandomCriteria(random: random, rows: rows)
    var criteria = generator.entities()
    criteria.filter = .not(.any([generator.filter(), .not(.all([culprit, generator.filter()])), generator.filter()]))
    let failing = Case(rows: rows, criteria: criteria, question: .find)
    let smallest = failing.shrunk { $0.rows.contains { $0["text"] == "culprit" } && $0.criteria.filter.text.contains(culprit.text) }
    #expect(smallest.rows.map { $0["text"] } == ["culprit"])
    #expect(smallest.criteria.filter == culprit)
    #expect(smallest.criteria.orders.isEmpty && smallest.criteria.scope.isAlwaysTrue && smallest.criteria.limit == nil)
    let message = smallest.report(seed: 7, (.rows([]), .rows([["culprit"]])))
    #expect(message.contains("DAO_SEED=7") && message.contains(#"filter: "text" == "culprit""#) && message.contains(#"text: "culprit""#))
  }
}
