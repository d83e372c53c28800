import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Criteria that do not fit the entity.
struct InvalidCriteriaTests {
  private static let invalid: [Criteria.Condition] = [
    .compare(.field(FieldPath("txet")), .equal, .value("a")),
    .compare(.field(FieldPath("country.code")), .equal, .value("a")),
    .compare(.field(FieldPath("text")), .equal, .value(1)),
    .compare(.field(FieldPath("integer")), .less, .value("1")),
    .compare(.field(FieldPath("bool")), .equal, .value(1)),
    .compare(.field(FieldPath("uuid")), .equal, .value("no UUID")),
    .compare(.field(FieldPath("iso")), .greater, .value(1)),
    .compare(.field(FieldPath("scaled")), .equal, .value(.decimal(Decimal(string: "0.001") ?? 0))),
    .compare(.field(FieldPath("real?")), .less, .value(.null)),
    .compare(.field(FieldPath("real?")), .equal, .value(.real(.nan))),
    .compare(.field(FieldPath("text")), .equal, .field(FieldPath("integer"))),
    .compare(.field(FieldPath("iso")), .less, .field(FieldPath("seconds"))),
    .between(.field(FieldPath("integer")), .value(.null), .value(1)),
    .among(.field(FieldPath("integer")), [1, "2"]),
    .matches(.field(FieldPath("integer")), .contains, "1", caseSensitive: true),
    .matches(.field(FieldPath("text")), .like, .null, caseSensitive: true),
    .matches(.field(FieldPath("text")), .endsWith, 1, caseSensitive: false),
    .compare(.function(.lower, [.field(FieldPath("integer"))]), .equal, .value("a")),
    .compare(.function(.abs, [.field(FieldPath("text"))]), .equal, .value(1)),
    .compare(.function(.coalesce, []), .equal, .value(1)),
    .isNull(.json(.field(FieldPath("text")), ["a"], as: .text)), .isNull(.json(.field(FieldPath("json")), [], as: .text)),
    .isNull(.json(.field(FieldPath("json")), [-1], as: .text)), .isNull(.json(.field(FieldPath("json")), ["a"], as: .data)),
    .isNull(.json(.field(FieldPath("json")), Array(repeating: 0, count: 33), as: .bool)),
    .isNull(.function(.jsonText, [.field(FieldPath("json")), .field(FieldPath("text"))])),
    .compare(.aggregate(.sum, .field(FieldPath("text"))), .equal, .value("a")),
    .compare(.aggregate(.max, nil), .equal, .value(1)),
    .compare(.aggregate(.max, .aggregate(.min, .field(FieldPath("integer")))), .equal, .value(1)),
    .compare(.field(FieldPath("text")), .equal, .unstorable("is no text")),
    .some(.root, .isNull(.field(FieldPath("text")))),
    .some(FieldPath(".text"), .constant(true)),
  ]

  @Test(arguments: invalid)
  func `an invalid condition is a problem wherever it stands, and never reaches SQLite`(_ condition: Criteria.Condition) throws {
    let (store, evaluator) = (try Stores.sqlite([]), try Stores.array([]))
    var generator = RandomCriteria(random: RandomSource(seed: TestCases.seed), rows: [])
    let places: [(Criteria.Condition) -> Criteria.Condition] = [
      { $0 }, { .not($0) }, { .all([.constant(false), $0]) }, { .any([$0, .constant(true)]) },
      { [filter = generator.filter()] in .any([filter, $0]) },
    ]
    for place in places {
      var criteria = generator.entities()
      criteria.filter = place(condition)
      let scope = generator.random.once(in: 3) ? generator.scope() : .constant(true)
      for question in [Question.find, .keys, .count, .exists, .delete, .update([Criteria.Change(.field(FieldPath("small")), .value(1))])] {
        let answer = Case(rows: [], criteria: criteria, scope: scope, question: question).answer(store)
        let evaluated = Case(rows: [], criteria: criteria, scope: scope, question: question).answer(evaluator)
        #expect(evaluated.description == answer.description)
        guard case .failed("invalid", _) = answer else {
          Issue.record("\(condition.text), asked to \(question.text), is \(answer)")
          continue
        }
      }
    }
  }

  @Test(arguments: Both.allCases)
  func `a query has as many values as a statement takes, and one more is a problem`(which: Both) throws {
    let most = Criteria.StatementLimits.sqlite.values
    var random = RandomSource(seed: TestCases.seed)
    let rows = Everything.rows(3, &random)
    let store: any EntityStore = which == .sqlite ? try Stores.sqlite(rows) : try Stores.array(rows)
    func count(_ values: Int) throws -> Int {
      // Most in conditions of 127 each.
      func first(_ number: Int) -> Criteria.Condition {
        let terms = (1...126).map { Criteria.Term.value(.text("\(number) \($0)")) }
        return .compare(.function(.coalesce, [.field(FieldPath("text"))] + terms), .equal, .value(.text("\(number)")))
      }
      let others = (0..<values % 127 + 254).map { number -> Criteria.Condition in
        number % 2 == 0
          ? .compare(.field(FieldPath("integer")), .equal, .value(.integer(Int64(number))))
          : .matches(.field(FieldPath("text")), .contains, .text("\(number)"), caseSensitive: true)
      }
      var criteria = Criteria()
      criteria.filter = .any((0..<values / 127 - 2).map(first) + others)
      return try store.count(in: EntityTarget(Everything.entity), criteria)
    }
    #expect(try 0...3 ~= count(most))
    #expect {
      _ = try count(most + 1)
    } throws: { error in
      guard case DAOError.invalidCriteria(_, let problems) = error else { return false }
      return problems.map(\.message) == ["has 32767 values; a statement takes at most 32766"]
    }
  }

  @Test(arguments: Both.allCases)
  func `a hundred problems are reported at most, ten of one list, in time proportional to the values`(which: Both) throws {
    let store: any EntityStore = which == .sqlite ? try Stores.sqlite([]) : try Stores.array([])
    func problems(_ filter: Criteria.Condition) -> [String] {
      var criteria = Criteria()
      criteria.filter = filter
      do { _ = try store.count(in: EntityTarget(Everything.entity), criteria) } catch DAOError.invalidCriteria(_, let problems) {
        return problems.map(\.message)
      } catch { Issue.record(error) }
      return []
    }
    let list = Criteria.Condition.among(.field(FieldPath("integer")), (0..<20_000).map { .text("east \($0)") })
    let unknown = Criteria.Condition.compare(.field(FieldPath("nowhere")), .equal, .value(1))
    let found = problems(.all([list, unknown]))
    #expect(found.count == 11 && found.filter { $0.contains("east") }.count == 10, "\(found)")
    #expect(problems(.all((0..<200).map { .compare(.field(FieldPath("unknown\($0)")), .equal, .value(1)) })).count == 100)
  }

  @Test(arguments: [9, 100, 2_000])
  func `functions that nest too deep are a problem, wherever they stand`(depth: Int) throws {
    var random = RandomSource(seed: TestCases.seed)
    func nested(_ depth: Int) -> Criteria.Term { (0..<depth).reduce(.field(FieldPath("text"))) { term, _ in .function(.lower, [term]) } }
    let store = try Stores.sqlite(Everything.rows(3, &random))
    let places: [(Question, (Criteria.Term, inout Case) -> Void)] = [
      (.find, { $1.criteria.filter = .compare($0, .equal, .value("a")) }),
      (.count, { $1.criteria.filter = .not(.compare(.value("a"), .less, $0)) }),
      (.find, { $1.criteria.filter = .isNull($0) }), (.find, { $1.criteria.filter = .among($0, ["a"]) }),
      (.find, { $1.criteria.filter = .between(.value("a"), $0, $0) }),
      (.find, { $1.criteria.filter = .matches($0, .like, "a", caseSensitive: true) }),
      (.find, { $1.criteria.filter = .compare(.aggregate(.max, $0), .equal, .value("a")) }),
      (.find, { $1.criteria.orders = [Criteria.Ordering($0)] }),
      (.report, { $1.criteria.columns = [Criteria.Column($0, isGroup: true)] }), (.count, { $1.scope = .isNull($0) }),
    ]
    for (question, put) in places {
      var (valid, invalid) = (
        Case(rows: [], criteria: Criteria(), question: question), Case(rows: [], criteria: Criteria(), question: question)
      )
      put(nested(Criteria.Term.maximumDepth - 1), &valid)
      put(nested(depth), &invalid)
      guard case .rows = valid.answer(store) else {
        Issue.record("\(question.text) refuses \(valid.criteria)")
        continue
      }
      guard case .failed("invalid", let message) = invalid.answer(store) else {
        Issue.record("\(question.text) does not refuse functions that nest \(depth) deep")
        continue
      }
      #expect(message.contains("nests more than 8 functions"))
    }
    let change = Criteria.Change(.field(FieldPath("text")), nested(depth))
    #expect(throws: DAOError.self) { try store.update(in: EntityTarget(Everything.entity), Criteria(), set: [change]) }
  }
}
