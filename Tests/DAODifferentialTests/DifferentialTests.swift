import DAODifferential
import DAOKit
import Foundation
import Testing

/// SQLite's answers beside those of the array store, which has the meaning of criteria from their documentation.
///
/// `DAO_SEED` chooses other cases, `DAO_CASES` how many.
struct DifferentialTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let seed = environment["DAO_SEED"].flatMap { UInt64($0) } ?? 2026
  static let count = environment["DAO_CASES"].flatMap { Int($0) } ?? 6000

  @Test func `SQLite and the reference agree on random criteria over random rows`() throws {
    var coverage = Coverage()
    var overflows = 0
    var failures = 0
    let casesForRows = 50
    for batch in 0..<max(1, Self.count / casesForRows) {
      let seed = Self.seed &+ UInt64(batch)
      var random = RandomSource(seed: seed)
      let rows = Everything.rows(random.pick([0, 1, 5, 20, 20]), &random)
      let (array, sqlite) = (try Stores.array(rows), try Stores.sqlite(rows))
      var generator = RandomCriteria(random: random, rows: rows)
      for _ in 0..<casesForRows {
        let next = generator.question()
        coverage.note(next.criteria)
        let answers = (array: next.answer(array), sqlite: next.answer(sqlite))
        if answers.array.isOverflow { overflows += 1 }
        guard next.differs(answers) else { continue }
        failures += 1
        let smallest = next.shrunk { (try? $0.differs($0.answers())) ?? false }
        Issue.record(Comment(rawValue: smallest.report(seed: seed, (try? smallest.answers()) ?? answers)))
        if failures >= 5 { return }
      }
    }
    let missing = Coverage.all.subtracting(coverage.counts.keys).sorted()
    #expect(missing.isEmpty, "never generated: \(missing)")
    #expect(overflows > 0, "no case overflowed")
  }
}

extension Case {
  /// Whether the stores disagree. An overflow that one of them stopped short of is none; nothing random is invalid.
  func differs(_ answers: (array: Answer, sqlite: Answer)) -> Bool {
    if mayStopEarly, answers.array.isOverflow || answers.sqlite.isOverflow { return false }
    if case .failed(let kind, _) = answers.sqlite, kind == "invalid" || kind == "other" { return true }
    return answers.array != answers.sqlite
  }
}

extension RandomCriteria {
  mutating func question() -> Case {
    allowsOverflow = random.once(in: 10)
    defer { allowsOverflow = false }
    if allowsOverflow {
      // One leaf or one projection, so that every store has to evaluate it.
      var criteria = Criteria()
      if random.once(in: 2) {
        let type = random.pick([AttributeType.integer, .decimal(.scaled(2)), .decimal(.text)])
        criteria.filter = leaf(term(type), type, allowsTerms: false)
        return Case(rows: rows, criteria: criteria, question: random.pick([.find, .keys, .count]))
      }
      criteria = report()
      (criteria.filter, criteria.scope, criteria.having, criteria.orders) = (.constant(true), .constant(true), .constant(true), [])
      return Case(rows: rows, criteria: criteria, question: .report)
    }
    switch random.below(10) {
    case 0...2: return Case(rows: rows, criteria: entities(), question: .find)
    case 3: return Case(rows: rows, criteria: entities(), question: .keys)
    case 4: return Case(rows: rows, criteria: random.once(in: 2) ? entities() : report(), question: .count)
    case 5: return Case(rows: rows, criteria: entities(), question: .exists)
    case 6: return Case(rows: rows, criteria: entities(), question: .delete)
    case 7: return Case(rows: rows, criteria: entities(), question: .update(changes()))
    default: return Case(rows: rows, criteria: report(), question: .report)
    }
  }
}
