import DAOKit
import Testing

@testable import DAODifferential

struct ShrinkingTests {
  private static let culprit = Criteria.Condition.compare(.field(FieldPath("text")), .equal, .value("culprit"))

  /// A world with a row of a culprit among others, and a query that asks for it among other things.
  private func failing() throws -> Trial {
    var schema = Schema()
    schema.tables = [
      Schema.Table(name: "country", table: "country", key: .assigned(["code"]), attributes: [Attribute("code", .text)]),
      Schema.Table(
        name: "zone", table: "zone", key: .generated("id"),
        attributes: [
          Attribute("id", .integer), Attribute("text", .text), Attribute("rank", .integer), Attribute("country", .text, optional: true),
        ],
        indexes: [Index(on: "rank")], links: [Schema.Link(name: "nation", kind: .toOne(by: ["country"], onDelete: .deny), target: 0)]),
    ]
    let rows = (1...20).map { [.integer($0), .text($0 == 13 ? "culprit" : "a"), .integer($0 % 3), "SK"] as [Scalar] }
    var criteria = Criteria()
    criteria.filter = .not(
      .any([.isNull(.field(FieldPath("rank"))), .not(.all([Self.culprit, .some(FieldPath("nation"), .constant(true))]))]))
    criteria.orders = [Criteria.Ordering(.field(FieldPath("rank")))]
    criteria.limit = 20
    let world = World(schema: schema, rows: [[["SK"]], rows])
    return Trial(world: world, table: 1, criteria: criteria, scope: .constant(true), question: .find)
  }

  @Test func `a failing case shrinks to what makes it fail`() throws {
    let smallest = try failing().shrunk { trial in
      let texts = trial.world.schema.tables[1].attributes.firstIndex { $0.name == "text" }
      guard let texts, trial.world.rows[1].contains(where: { $0[texts] == "culprit" }) else { return false }
      return "\(trial.criteria.filter)".contains("\(Self.culprit.node)")
    }
    #expect(smallest.world.rows == [[], [[13, "culprit"]]])
    #expect(smallest.world.schema.tables[1].attributes.map(\.name) == ["id", "text"])
    #expect(smallest.world.schema.tables[1].indexes.isEmpty && smallest.world.schema.tables[1].links.isEmpty)
    #expect(smallest.criteria.filter == Self.culprit && smallest.criteria.orders.isEmpty && smallest.criteria.limit == nil)
  }

  @Test func `a failing case is told with its schema, rows, JSON, SQL and both answers`() throws {
    let report = try failing().report()
    for part in [
      #"CREATE TABLE "zone""#, "zone: id: 13, text: \"culprit\"", #""to":{"value":"culprit"}"#, #"FROM "zone" WHERE"#, "evaluator: 1 rows",
      "SQLite: 1 rows",
    ] {
      #expect(report.contains(part), "\(part) is not in \(report)")
    }
  }

  @Test func `what one store answers otherwise is a difference, and what an overflow cut short is none`() throws {
    let trial = try failing()
    let rows = DAODifferential.Answer.rows([[1], [2]], isOrdered: true)
    #expect(trial.differs((rows, .rows([[2], [1]], isOrdered: true))))
    #expect(trial.differs((rows, .failed("invalid", message: ""))))
    #expect(!trial.differs((rows, rows)))
    #expect(!trial.differs((.rows([[1], [2]], isOrdered: false), .rows([[2], [1]], isOrdered: false))))
    #expect(!trial.differs((rows, .failed("overflow", message: ""))))
    var simple = trial
    (simple.criteria.filter, simple.criteria.orders, simple.criteria.limit) = (Self.culprit, [], nil)
    #expect(simple.differs((rows, .failed("overflow", message: ""))))
    // A list of keys may be made of rows that nothing leads to, and an aggregate is not worked out where there are no rows to ask.
    let nested = Criteria.Condition.compare(.related(.count, FieldPath("zones"), nil, .constant(true)), .greater, .value(0))
    for (condition, differs) in [(Self.culprit, true), (.not(.some(FieldPath("zones"), Self.culprit)), false), (nested, false)] {
      simple.criteria.filter = .compare(.related(.count, FieldPath("zones"), nil, condition), .greater, .value(0))
      #expect(simple.differs((rows, .failed("overflow", message: ""))) == differs)
    }
  }
}
