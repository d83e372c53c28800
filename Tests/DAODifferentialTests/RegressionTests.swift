import DAOKit
import DAOTestStore
import Foundation
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

  @Test func `coalesce of one term is the term`() throws {
    let found = try expectAgreement([row(["text?": "a"]), row(["text?": .null])]) {
      $0.filter = .compare(.function(.coalesce, [.field(FieldPath("text?"))]), .equal, .value("a"))
    }
    #expect(count(found) == 1)
  }
}
