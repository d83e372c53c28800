import DAODifferential
import DAOKit
import TestCases
import Testing

/// Rows that a prefetch fetches, beside those that the relationship's attributes pair by hand.
@Suite("Prefetch and the reference")
struct PrefetchDifferentialTests {
  @Test func `any paths over any rows fetch what belongs together, on both stores`() throws {
    var reached = 0
    for seed in TestCases.seed..<TestCases.seed + 60 {
      var random = RandomSource(seed: seed)
      let rows = Library.rows(random.pick([0, 1, 4, 8]), &random)
      let stores: [any EntityStore] = [try EvaluatorStore(Library.entities), try Stores.sqlite(for: Library.entities)]
      for store in stores { try Library.fill(store, rows) }
      for _ in 0..<6 {
        let entity = random.pick(Library.entities)
        let paths = (0..<random.below(3)).map { _ in path(from: entity, &random) }
        var criteria = Criteria()
        criteria.prefetches = paths.map { Criteria.Prefetch($0) }
        for store in stores {
          let found = try store.find(DynamicEntity.self, in: EntityTarget(entity), criteria)
          for row in found {
            for path in paths { reached += try check(row, path.names[...], rows, "seed \(seed), \(entity.name).\(path)") }
          }
        }
      }
    }
    #expect(reached > 1_000, "only \(reached) rows were reached")
  }

  private func path(from entity: EntityDescription, _ random: inout RandomSource) -> FieldPath {
    var (path, entity) = (FieldPath.root, entity)
    for _ in 0...random.below(3) {
      let relationship = random.pick(entity.relationships)
      path = path.appending(relationship.name)
      entity = relationship.target ?? entity
    }
    return path
  }

  /// How many rows were reached, each of which is right.
  private func check(
    _ row: DynamicEntity, _ path: ArraySlice<String>, _ rows: [(EntityDescription, [String: Scalar])], _ comment: String
  ) throws -> Int {
    guard let name = path.first, let relationship = row.entity.relationship(name) else { return 0 }
    var expected = [Set([row])]
    for step in try row.entity.steps(of: relationship) {
      let all = try rows.filter { $0.0 == step.target }.map { try DynamicEntity($0, $1) }
      let here = expected[expected.count - 1]
      expected.append(
        Set(
          all.filter { there in
            here.contains { here in step.pairs.allSatisfy { here[$0.here.name] != .null && here[$0.here.name] == there[$0.there.name] } }
          }))
    }
    let found = try row.related(name)
    #expect(Set(found) == expected.last && found.count == expected.last?.count, "\(comment): \(row)")
    return try found.reduce(found.count) { try $0 + check($1, path.dropFirst(), rows, comment) }
  }
}
