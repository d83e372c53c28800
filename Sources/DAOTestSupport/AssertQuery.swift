import DAOKit
import Testing

/// Asserts the statement of a query within a DAO's scope, the rows that it finds, and, if a recorder is given, that only this statement
/// runs.
///
/// ```swift
/// try assertQuery(
///   .where(\.standardOffset > 3600).order(by: \.name), on: zones,
///   sql: #"SELECT "id", "name" FROM "zone" WHERE "standardOffset" > ? ORDER BY "name" ASC NULLS FIRST"#,
///   bindings: [.integer(3600)], rows: [3, 5], in: statements)
/// ```
/// - Parameters:
///   - criteria: a query of entities; its prefetches are not asserted.
///   - dao: the DAO whose `findAll` is called.
///   - sql: the statement's text.
///   - bindings: the values for its placeholders.
///   - rows: the keys of the rows, in the criteria's order; without an order, in any order.
///   - recorder: records the statements of the DAO's factory.
///   - sourceLocation: where a failure is reported.
/// - Throws: ``DAOError``; ``FailedExpectation`` outside of Swift Testing.
public func assertQuery<E: Entity>(
  _ criteria: SearchCriteria<E>, on dao: DAO<E>, sql: String, bindings: [StoredValue] = [], rows: [E.PrimaryKey],
  in recorder: StatementRecorder? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let asked = dao.refine(criteria)
  guard let statement = try asked.sql(for: .sqlite, in: dao.target) else {
    return try fail("nothing is sent: no row can match", sourceLocation)
  }
  if statement.text != sql { try fail("the statement is\n\(statement.text)\nand not\n\(sql)", sourceLocation) }
  if statement.bindings != bindings { try fail("the bindings are \(statement.bindings) and not \(bindings)", sourceLocation) }

  let run = try (recorder ?? StatementRecorder()).during { try dao.findAll(criteria) }
  if recorder != nil, asked.criteria.prefetches.isEmpty {
    if run.queries != [statement.text] { try fail("what ran is\n\(run.texts.joined(separator: "\n"))", sourceLocation) }
    if !run.expanded.isEmpty, run.expanded != [statement.expanded] {
      try fail("what ran is\n\(run.expanded.joined(separator: "\n"))", sourceLocation)
    }
  }

  let found = run.result.compactMap(\.primaryKey)
  let plain = asked.criteria
  // Without an order, SQLite may go through an index.
  let isOrdered = !plain.orders.isEmpty || plain.limit != nil || plain.offset != nil
  if isOrdered ? found != rows : found.count != rows.count || Set(found) != Set(rows) {
    try fail("the rows are \(found) and not \(rows)", sourceLocation)
  }
}

extension SQLStatement {
  /// The statement as SQLite shows it with its values.
  package var expanded: String {
    var places = bindings.indices.makeIterator()
    let parts = text.split(separator: "?", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { expanded, part in
      let number = part.prefix { $0.isASCII && $0.isNumber }
      let place = Int(number).map { $0 - 1 } ?? places.next()
      expanded += (place.map { bindings[$0].description } ?? "?") + part.dropFirst(number.count)
    }
  }
}
