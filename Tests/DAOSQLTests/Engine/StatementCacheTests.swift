import DAOCriteria
import Testing

@testable import DAOSQL

@Suite("Kept statements")
struct StatementCacheTests {
  static let entity = EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", .text)])

  func kind(_ names: Int) -> (StatementCache.Kind, Criteria) {
    var criteria = Criteria()
    criteria.filter = .any((0...names).map { .compare(.field(FieldPath("a\($0)")), .equal, .value("x")) })
    return (.criteria(.entities, criteria), criteria)
  }

  func entry(_ cache: StatementCache, hash: Int, _ number: Int, _ made: inout Int) -> String {
    let (kind, criteria) = kind(number)
    _ = criteria
    return cache.entry(hash: hash, entity: Self.entity, kind) {
      made += 1
      return StatementCache.Entry(
        entity: Self.entity, kind: kind, plan: SQLPlan(text: "\(number)", bindings: [], columns: [], isEmpty: false), statement: nil)
    }.plan.text
  }

  @Test("a shape is made once and found again")
  func found() {
    let cache = StatementCache()
    var made = 0
    for _ in 0..<3 { #expect(entry(cache, hash: 7, 1, &made) == "1") }
    #expect(made == 1)
  }

  @Test("shapes with the same hash are kept apart")
  func collision() {
    let cache = StatementCache()
    var made = 0
    for _ in 0..<3 { for number in 0..<20 { #expect(entry(cache, hash: 7, number, &made) == "\(number)") } }
    #expect(made == 20)
  }

  @Test("another entity of the same names is another statement")
  func entities() {
    let cache = StatementCache()
    var made = 0
    let (kind, _) = kind(1)
    for entity in [Self.entity, EntityDescription("t", key: .generated("id"), attributes: Self.entity.attributes)] {
      _ = cache.entry(hash: 7, entity: entity, kind) {
        made += 1
        return StatementCache.Entry(
          entity: entity, kind: kind, plan: SQLPlan(text: "", bindings: [], columns: [], isEmpty: false), statement: nil)
      }
    }
    #expect(made == 2)
  }

  @Test("the cache stays bounded, and those used last stay in it")
  func eviction() {
    let cache = StatementCache(capacity: 16)
    var made = 0
    for number in 0..<200 {
      #expect(entry(cache, hash: number, number, &made) == "\(number)")
      #expect(entry(cache, hash: 0, 0, &made) == "0")
    }
    #expect(made == 200)
    for number in 0..<200 { #expect(entry(cache, hash: number, number, &made) == "\(number)") }
    #expect(made > 380)
  }
}
