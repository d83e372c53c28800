import DAOKit
import DAOTestStore
import Foundation
import Testing

/// Criteria that do not fit the entity.
struct InvalidCriteriaTests {
  private static let invalid: [Condition] = [
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
    .compare(.aggregate(.sum, .field(FieldPath("text"))), .equal, .value("a")),
    .compare(.aggregate(.max, nil), .equal, .value(1)),
    .compare(.aggregate(.max, .aggregate(.min, .field(FieldPath("integer")))), .equal, .value(1)),
    .compare(.field(FieldPath("text")), .equal, .unstorable("is no text")),
  ]

  @Test(arguments: invalid)
  func `an invalid condition is a problem wherever it stands, and never reaches SQLite`(_ condition: Condition) throws {
    let store = try Stores.sqlite([])
    var generator = RandomCriteria(random: RandomSource(seed: DifferentialTests.seed), rows: [])
    let places: [(Condition) -> Condition] = [
      { $0 }, { .not($0) }, { .all([.constant(false), $0]) }, { .any([$0, .constant(true)]) },
      { [filter = generator.filter()] in .any([filter, $0]) },
    ]
    for place in places {
      var criteria = generator.entities()
      criteria.filter = place(condition)
      for question in [Question.find, .keys, .count, .exists, .delete, .update([Change(.field(FieldPath("small")), .value(1))])] {
        let answer = Case(rows: [], criteria: criteria, question: question).answer(store)
        guard case .failed("invalid", _) = answer else {
          Issue.record("\(condition.text), asked to \(question.text), is \(answer)")
          continue
        }
      }
    }
  }
}
