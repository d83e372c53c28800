import CriteriaTesting
import DAODifferential
import DAOKit
import Testing

@Suite("Long texts that functions make")
struct LongTextTests {
  static let x = Criteria.Term.field(FieldPath("x"))

  @Test(arguments: Both.costly)
  func `what stands behind the last part that was replaced counts for the length too`(which: Both) throws {
    let entity = EntityDescription("row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .text)])
    let store = try which.store(for: [entity])
    let text = String(repeating: "a", count: 99) + String(repeating: "b", count: 2_000_000)
    _ = try store.insert([DynamicEntity(entity, ["x": .text(text)])], in: EntityTarget(entity))
    let million = Criteria.Term.value(.text(String(repeating: "c", count: 1_000_000)))
    var criteria = Criteria()
    criteria.columns = [Criteria.Column(.function(.length, [.function(.replace, [Self.x, .value("a"), million])]))]
    #expect {
      _ = try store.report(in: EntityTarget(entity), criteria) { try $0.takeScalar() }
    } throws: {
      if case DAOError.overflow("row", _) = $0 { true } else { false }
    }
  }
}
