import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// What the comparison with the reference has found before.
struct RegressionTests {
  private func expectAgreement(
    _ rows: [[String: Scalar]], _ question: Question = .find, sourceLocation: SourceLocation = #_sourceLocation,
    _ build: (inout Criteria) -> Void
  ) throws -> Answer {
    var criteria = Criteria()
    build(&criteria)
    let answers = try Case(rows: rows, criteria: criteria, question: question).answers()
    #expect(answers.array == answers.sqlite, sourceLocation: sourceLocation)
    return answers.sqlite
  }

  private func count(_ answer: Answer) -> Int? { if case .rows(let rows) = answer { rows.count } else { nil } }

  private func row(_ values: [String: Scalar] = [:]) -> [String: Scalar] {
    var random = RandomSource(seed: 1)
    return Everything.rows(1, &random)[0].merging(values) { $1 }
  }

  /// A reference that leads to no row is null, and so is what JSON does not have.
  @Test(arguments: [Criteria.Comparison.equal, .notEqual, .less, .greaterOrEqual])
  func `JSON of a value alone is compared with what no row has`(_ comparison: Criteria.Comparison) throws {
    var random = RandomSource(seed: 11)
    let rows = Library.rows(6, &random)
    let stores: [any EntityStore] = [try Stores.sqlite(for: Library.entities), try EvaluatorStore(Library.entities)]
    for store in stores { try Library.fill(store, rows) }
    var counts: Set<Int> = []
    for document in ["a", #"{"n":2}"#, #"{"n":null}"#] {
      let number = Criteria.Term.function(.jsonInteger, [.value(.text(document)), .value("n")])
      for rank in [Criteria.Term.field(FieldPath("mentor.rank")), .function(.abs, [.field(FieldPath("mentor.rank"))])] {
        for filter in [Criteria.Condition.compare(rank, comparison, number), .compare(number, comparison, rank)] {
          for filter in [filter, .not(filter)] {
            var criteria = Criteria()
            criteria.filter = filter
            let found = try stores.map { try $0.count(in: EntityTarget(Library.author), criteria) }
            #expect(found[0] == found[1], "\(filter)")
            counts.insert(found[0])
          }
        }
      }
    }
    #expect(counts.count > 1)
  }

  @Test func `coalesce of one term is the term`() throws {
    let found = try expectAgreement([row(["text?": "a"]), row(["text?": .null])]) {
      $0.filter = .compare(.function(.coalesce, [.field(FieldPath("text?"))]), .equal, .value("a"))
    }
    #expect(count(found) == 1)
  }

  @Test func `a value between two attributes is stored as they are`() throws {
    let (early, late) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_800_000_000))
    let rows = [row(["iso": .date(early), "iso?": .date(late)]), row(["iso": .date(late), "iso?": .date(late)]), row(["iso?": .null])]
    let found = try expectAgreement(rows) {
      $0.filter = .between(.value(.date(Date(timeIntervalSince1970: 1_000))), .field(FieldPath("iso")), .field(FieldPath("iso?")))
    }
    #expect(count(found) == 1)
    let decimals = try expectAgreement([row(["decimal": .decimal(9), "decimal?": .decimal(11)])]) {
      $0.filter = .between(.value(.decimal(10)), .field(FieldPath("decimal")), .field(FieldPath("decimal?")))
    }
    #expect(count(decimals) == 1)
  }

  @Test(arguments: [(0, 0), (1, 100), (2, 1)])
  func `aggregates over a page are one row, and counted as one`(limit: Int, offset: Int) throws {
    let answer = try expectAgreement([row(), row(), row()], .count) {
      $0.columns = [Criteria.Column(.aggregate(.max, .field(FieldPath("small"))))]
      ($0.limit, $0.offset) = (limit, offset)
    }
    #expect(answer == .rows([[1]]))
  }

  @Test func `a count refuses what a report refuses`() throws {
    var criteria = Criteria()
    criteria.columns = [Criteria.Column(.field(FieldPath("text"))), Criteria.Column(.aggregate(.count, nil))]
    let store = try Stores.sqlite([])
    #expect(throws: DAOError.self) { try store.count(in: EntityTarget(Everything.entity), criteria) }
  }

  @Test func `coalesce of an integer and a double is a double`() throws {
    let rows = [row(["integer?": .null, "real": 0.5]), row(["integer?": 1])]
    let either = Criteria.Term.function(.coalesce, [.field(FieldPath("integer?")), .field(FieldPath("real"))])
    let found = try expectAgreement(rows) { $0.filter = .compare(either, .equal, .value(0.5)) }
    #expect(count(found) == 1)
    #expect(try expectAgreement(rows, .report) { $0.columns = [Criteria.Column(either)] } == .rows([[0.5], [1.0]]))
  }

  @Test func `an integer attribute does not take a double one`() throws {
    let store = try Stores.sqlite([row(["real": 0.5])])
    #expect(throws: DAOError.self) {
      try store.update(
        in: EntityTarget(Everything.entity), Criteria(), set: [Criteria.Change(.field(FieldPath("integer")), .field(FieldPath("real")))])
    }
  }

  @Test func `a decimal between an attribute and a value compares as a number`() throws {
    let found = try expectAgreement([row(["decimal": 1]), row(["decimal": 4])]) {
      $0.filter = .between(.value(.decimal(3)), .field(FieldPath("decimal")), .value(.decimal(20)))
    }
    #expect(count(found) == 1)
  }

  @Test func `an empty text is among those that do not end with a pattern`() throws {
    let found = try expectAgreement([row(["text": ""]), row(["text": "ab"]), row(["text": "b"])]) {
      $0.filter = .not(.matches(.field(FieldPath("text")), .endsWith, "b", caseSensitive: true))
    }
    #expect(count(found) == 1)
  }

  @Test func `a scope with an aggregate is refused, for it would speak of itself`() throws {
    let target = EntityTarget(
      Everything.entity, scope: .compare(.field(FieldPath("small")), .equal, .aggregate(.max, .field(FieldPath("small")))))
    let store = try Stores.sqlite([row()])
    #expect(throws: DAOError.self) { try store.count(in: target, Criteria()) }
    #expect(throws: DAOError.self) { try store.find(DynamicEntity.self, in: target, key: [1]) }
  }

  @Test func `aggregates over a page can't be ordered by an aggregate`() throws {
    var criteria = Criteria()
    criteria.columns = [Criteria.Column(.aggregate(.count, nil))]
    criteria.limit = 2
    criteria.orders = [Criteria.Ordering(.aggregate(.max, .field(FieldPath("small"))))]
    let store = try Stores.sqlite([row()])
    let problem = #expect(throws: DAOError.self) { try store.report(in: EntityTarget(Everything.entity), criteria) { try $0.takeScalar() } }
    guard case .invalidCriteria? = problem else {
      Issue.record("\(String(describing: problem)) is no problem of the criteria")
      return
    }
  }

  /// SQLite's own length, LIKE and GLOB stop at a NUL.
  @Test func `text with a NUL is equal, ordered, listed, cut and found as a whole`() throws {
    let texts = ["a\0b", "a", "a\0", "\0", "A\0B", " a\0 ", "b\0a"]
    let rows = texts.map { row(["text": .text($0)]) }
    let text = Criteria.Term.field(FieldPath("text"))
    for value in texts {
      let scalar = Scalar.text(value)
      for condition: Criteria.Condition in [
        .compare(text, .equal, .value(scalar)), .compare(text, .less, .value(scalar)), .compare(text, .notEqual, .value(scalar)),
        .among(text, [scalar]), .among(text, [scalar, "a", .null]), .between(text, .value("a"), .value(scalar)),
        .matches(text, .contains, scalar, caseSensitive: true), .matches(text, .beginsWith, scalar, caseSensitive: true),
        .matches(text, .endsWith, scalar, caseSensitive: true), .matches(text, .like, scalar, caseSensitive: true),
        .matches(text, .like, scalar, caseSensitive: false), .matches(text, .contains, scalar, caseSensitive: false),
        .matches(text, .beginsWith, scalar, caseSensitive: false), .matches(text, .endsWith, scalar, caseSensitive: false),
        .compare(.function(.length, [text]), .greater, .value(.integer(Int64(value.utf8.count)))),
        .compare(.function(.lower, [text]), .equal, .value(scalar)),
        .compare(.function(.upper, [text]), .equal, .value(scalar)), .compare(.function(.trim, [text]), .equal, .value(scalar)),
      ] {
        for filter in [condition, .not(condition)] {
          let answers = try Case(
            rows: rows,
            criteria: {
              var criteria = Criteria()
              criteria.filter = filter
              criteria.orders = [Criteria.Ordering(text)]
              return criteria
            }(), question: .find
          ).answers()
          #expect(answers.array == answers.sqlite, "\(filter.text)")
        }
      }
    }
  }
}
