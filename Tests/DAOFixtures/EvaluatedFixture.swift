import DAODifferential
import DAOKit
import TestCases

/// The rows of a fixture without SQL: its tables in an evaluator store, its views' rows beside.
package struct EvaluatedFixture {
  package let factory: DAOFactory
  private let entities: [EntityDescription]
  private let views: [String: EvaluatedTable]

  /// Takes all rows from a store.
  package init(of fixture: Fixture, from store: DAOFactory) throws {
    entities = try store.store.entities()
    let evaluator = try EvaluatorStore(entities)
    factory = DAOFactory(over: evaluator)
    var views: [String: EvaluatedTable] = [:]
    for entity in try fixture.order(entities) {
      let rows = try store.runtimeDAO(entity).findAll(.all)
      if entity.isReadOnly {
        let table = EvaluatedTable()
        for (place, row) in rows.enumerated() { table.put(try Answer.stored(row), at: place) }
        views[entity.name] = table
      } else {
        try factory.runtimeDAO(entity).insert(rows)
      }
    }
    self.views = views
  }

  /// What the evaluator answers.
  package func answer(_ answer: Answer) throws -> [[StoredValue]] {
    let (entity, criteria) = try answer.criteria(of: entities)
    guard let view = views[entity.name] else { return try answer.asked(of: factory.runtimeDAO(entity), criteria) }
    let query = try ArrayQuery(criteria.criteria, in: EntityTarget(entity)) { _ in view }
    return criteria.criteria.columns.isEmpty ? try query.rows() : try query.report()
  }
}

extension Fixture {
  /// Entities, those first that others refer to; views last.
  fileprivate func order(_ entities: [EntityDescription]) throws -> [EntityDescription] {
    var random = RandomSource(seed: 21)
    let names = tables(&random).map(\.name)
    func place(_ entity: EntityDescription) -> Int { names.firstIndex(of: entity.name) ?? names.count }
    return entities.sorted { place($0) < place($1) }
  }
}
