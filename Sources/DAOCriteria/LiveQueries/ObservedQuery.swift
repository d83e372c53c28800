/// A query that a live query has run: what decides which commits can change its result.
package struct ObservedQuery: Hashable, Sendable {
  /// What the query reads of the rows that it finds.
  package enum Reading: Hashable, Sendable {
    /// All attributes, and the rows that it prefetches.
    case entities
    /// The key.
    case keys
    /// Only whether they are there.
    case presence
    /// The projections.
    case report
  }

  /// Which rows the query finds.
  enum Rows: Hashable, Sendable {
    case criteria(Criteria, Reading)
    case keys(Set<[StoredValue]>)
  }

  let entity: EntityDescription
  let scope: Criteria.Condition
  let rows: Rows

  /// A query by criteria.
  package init(_ criteria: Criteria, in target: EntityTarget, reading: Reading) {
    entity = target.entity
    scope = target.scope
    // What is counted of a report are its rows, which may be groups.
    rows = .criteria(criteria, criteria.columns.isEmpty ? reading : .report)
  }

  /// A query for the rows with some keys.
  package init(keys: [some EntityKey], in target: EntityTarget) throws {
    entity = target.entity
    scope = target.scope
    let types = target.entity.keyTypes
    rows = .keys(
      Set(
        try keys.map { key in
          var writer = ColumnWriter(collecting: types)
          try key.write(to: &writer)
          return writer.values
        }))
  }
}

extension ObservedQuery {
  /// The entities that it reads, its own first.
  var entities: [EntityDescription] {
    [entity] + AttributeReading(of: self).others.subtracting([entity])
  }
}
