import Testing

@testable import DAOCriteria
@testable import DAOSQL

@Suite("Kept statements")
struct StatementCacheTests {
  static let entity = EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", .text)])

  /// The text of the entry for a shape of its own for each number.
  func entry(_ cache: StatementCache, of entity: EntityDescription = entity, hash: Int, _ number: Int, _ made: inout Int) -> String {
    var words = ShapeWords()
    for number in 0...number { words.add("a\(number)") }
    if let kept = cache.entry(hash: hash, .criteria(words), of: entity) { return kept.plan.text }
    made += 1
    let entry = StatementCache.Entry(
      entity: entity, source: .criteria(words), plan: SQLPlan("\(text: "\(number)")", using: [], columns: [], of: entity, isEmpty: false),
      statement: nil)
    return cache.keep(entry, hash: hash).plan.text
  }

  @Test func `a shape is made once and found again`() {
    let cache = StatementCache()
    var made = 0
    for _ in 0..<3 { #expect(entry(cache, hash: 7, 1, &made) == "1") }
    #expect(made == 1)
  }

  @Test func `shapes with the same hash are kept apart`() {
    let cache = StatementCache()
    var made = 0
    for _ in 0..<3 { for number in 0..<20 { #expect(entry(cache, hash: 7, number, &made) == "\(number)") } }
    #expect(made == 20)
  }

  @Test func `another entity of the same names is another statement`() {
    let cache = StatementCache()
    var made = 0
    for entity in [Self.entity, EntityDescription("t", key: .generated("id"), attributes: Self.entity.attributes)] {
      _ = entry(cache, of: entity, hash: 7, 1, &made)
    }
    #expect(made == 2)
  }

  @Test func `the cache stays bounded, and those used last stay in it`() {
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

  @Test(arguments: [-1, 0, 1])
  func `a cache has room for one at least`(_ capacity: Int) {
    let cache = StatementCache(capacity: capacity)
    var made = 0
    for _ in 0..<3 { for number in 0..<3 { #expect(entry(cache, hash: number, number, &made) == "\(number)") } }
    #expect(made == 9)
  }
}
