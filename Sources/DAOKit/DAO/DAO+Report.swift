// Reports load projected values only.
extension DAO {
  /// Typed rows of projections: one tuple a row or group.
  ///
  /// ```swift
  /// let rows = try zones.project(.group(by: \.comment), .max(\.standardOffset), .count)
  /// // SELECT "comment", MAX("standardOffset"), COUNT(*) FROM "zone" GROUP BY "comment"      -> [(String?, Int?, Int)]
  /// ```
  /// - Parameters:
  ///   - projections: the values to read of each row or group.
  ///   - criteria: the query; its own projections must be empty.
  /// - Throws: ``DAOError``; ``DAOError/undecodable(entity:column:row:problem:)`` where a value is null and its type not optional.
  public final func project<each Value>(
    _ projections: repeat Projection<E, each Value>, matching criteria: SearchCriteria<E> = .all
  ) throws -> [(repeat each Value)] {
    guard criteria.criteria.columns.isEmpty else {
      throw DAOError.misuse("the criteria have projections of their own", use: "dictionaries(_:), or project(_:as:)")
    }
    let criteria = criteria.project(repeat each projections)
    return try report(criteria) { row in (repeat try row.next((each Value).self)) }
  }

  /// The criteria's projections as a `Decodable` type, whose keys are their names: `standardOffset`, `max:standardOffset`, or the name
  /// given by ``Projection/named(_:)``.
  public final func project<Row: Decodable>(_ criteria: SearchCriteria<E>, as type: Row.Type) throws -> [Row] {
    let decoder = RowDecoder(columns: criteria.criteria.columns.map(\.name))
    return try report(criteria) { try decoder.decode(type, from: &$0) }
  }

  /// The criteria's projections, read by hand in their order.
  ///
  /// ```swift
  /// try zones.project(criteria) { row in Line(name: try row.next(), offset: try row.next()) }
  /// ```
  public final func project<Row>(_ criteria: SearchCriteria<E>, _ read: (inout RowReader) throws -> Row) throws -> [Row] {
    try report(criteria, read)
  }

  /// The criteria's projections by their names: `standardOffset`, `max:standardOffset`, or the name given by ``Projection/named(_:)``.
  public final func dictionaries(_ criteria: SearchCriteria<E>) throws -> [[String: Scalar]] {
    let names = criteria.criteria.columns.map(\.name)
    return try report(criteria) { row in
      var dictionary: [String: Scalar] = [:]
      for name in names { dictionary[name] = try row.takeScalar() }
      return dictionary
    }
  }

  private func report<Row>(_ criteria: SearchCriteria<E>, _ read: (inout RowReader) throws -> Row) throws -> [Row] {
    let criteria = refine(criteria)
    if let prefetch = criteria.criteria.prefetches.first {
      throw DAOError.invalidCriteria(
        entity: entity.name,
        problems: [
          DAOError.CriteriaProblem(
            path: prefetch.path.description, message: "can't be prefetched: a report has no entities to give its rows to"
          )
          .standing(at: criteria.criteria.places?[.prefetch(0)])
        ])
    }
    return try context.store.report(in: target, criteria.criteria, read)
  }
}
