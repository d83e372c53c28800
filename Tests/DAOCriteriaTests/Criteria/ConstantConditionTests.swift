import TestCases
import Testing

@testable import DAOCriteria

@Suite("Conditions that are the same of every row")
struct ConstantConditionTests {
  private typealias Condition = Criteria.Condition

  private static let name = Criteria.Term.field(FieldPath("name"))

  @Test func `one is true or false of every row as its parts say`() {
    var random = RandomSource(seed: TestCases.seed)
    /// A condition, and what it is of every row.
    func made(_ levels: Int) -> (Condition, Bool?) {
      switch random.below(levels == 0 ? 4 : 8) {
      case 0: return (.constant(true), true)
      case 1: return (.constant(false), false)
      case 2: return (.among(Self.name, []), false)
      case 3: return (.isNull(Self.name), nil)
      case 4:
        let (inner, value) = made(levels - 1)
        return (.not(inner), value.map { !$0 })
      case 5:
        // Of no row there is none of which it is true; whether there is a row, nobody knows.
        let (inner, value) = made(levels - 1)
        return (.some(FieldPath("owner"), inner), value == false ? false : nil)
      case let kind:
        let parts = (0..<random.below(4)).map { _ in made(levels - 1) }
        let absorbing = kind == 6
        let values = parts.map(\.1)
        let value = values.contains(absorbing) ? absorbing : values.contains(nil) ? nil : !absorbing
        return (kind == 6 ? .any(parts.map(\.0)) : .all(parts.map(\.0)), value)
      }
    }
    for _ in 0..<TestCases.count(4_000, inSuite: 500) {
      let (condition, value) = made(4)
      #expect(condition.isAlwaysTrue == (value == true) && condition.isAlwaysFalse == (value == false), "\(condition)")
    }
  }

  /// Where each level asked its parts twice, one answer would take sixteen million steps, and this would not end.
  @Test(.timeLimit(.minutes(60))) func `the deepest says so at once`() {
    let deepest = (0..<Condition.maximumDepth).reduce(Condition.isNull(Self.name)) { inner, level in
      let leaf = Condition.compare(Self.name, .equal, .value(.integer(Int64(level))))
      return level % 2 == 0 ? .all([inner, leaf]) : .any([inner, leaf])
    }
    #expect((0..<10_000).allSatisfy { _ in !deepest.isAlwaysTrue && !deepest.isAlwaysFalse })
  }
}
