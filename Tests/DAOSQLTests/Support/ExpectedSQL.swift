import CriteriaTesting
import DAOCriteria
import Testing

@testable import DAOSQL

/// Asserts the statement that a query becomes, without a database: its text and bindings.
/// - Parameter use: what is done with its rows; nil for entities, or the projections where it has some.
func assertSQL<E: Entity>(
  _ criteria: SearchCriteria<E>, for use: Criteria.Use? = nil, in entity: EntityDescription = E.entityDescription,
  scope: Filter<E> = .everything, _ text: String, _ bindings: [StoredValue] = [], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let target = EntityTarget(entity, scope: scope.condition)
  let made = try use.map { try SQLStatement.for($0, criteria.criteria, in: target) } ?? criteria.sql(for: .sqlite, in: target)
  let statement = try #require(made, sourceLocation: sourceLocation)
  #expect(statement.text == text, sourceLocation: sourceLocation)
  #expect(statement.bindings == bindings, sourceLocation: sourceLocation)
}

/// Asserts the condition of a filter, and that of its negation where one is given. Both have the same bindings.
func assertCondition<E: Entity>(
  _ filter: Filter<E>, in entity: EntityDescription, _ condition: String, not negation: String? = nil, _ bindings: [StoredValue] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  for (filter, expected) in [(filter, condition), (!filter, negation)] {
    guard let expected else { continue }
    let statement = try #require(try SearchCriteria.where(filter).countSQL(in: EntityTarget(entity)), sourceLocation: sourceLocation)
    #expect(
      statement.text == "SELECT COUNT(*) FROM \(entity.table.quotedIdentifier) WHERE \(expected)", sourceLocation: sourceLocation)
    #expect(statement.bindings == bindings, sourceLocation: sourceLocation)
  }
}

/// Asserts the condition of a filter of zones, and that of its negation where one is given.
func assertZones(
  _ filter: Filter<Clock.Zone>, _ condition: String, not negation: String? = nil, _ bindings: [StoredValue] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try assertCondition(filter, in: Clock.Zone.entityDescription, condition, not: negation, bindings, sourceLocation: sourceLocation)
}

/// Asserts the same of countries, which zones refer to.
func assertCountries(
  _ filter: Filter<Clock.Country>, _ condition: String, not negation: String? = nil, _ bindings: [StoredValue] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try assertCondition(filter, in: Clock.Country.entityDescription, condition, not: negation, bindings, sourceLocation: sourceLocation)
}

/// Asserts the same of the entity that has every type of attribute.
func assertSamples(
  _ filter: Filter<DynamicEntity>, _ condition: String, not negation: String? = nil, _ bindings: [StoredValue] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try assertCondition(filter, in: Clock.sample, condition, not: negation, bindings, sourceLocation: sourceLocation)
}
