extension DAO {
  /// The entities of a query by an attribute. Those without a value are left out; of several with the same value, the last in the order of
  /// the criteria stays.
  ///
  /// ```swift
  /// let byCode = try countries.dictionary(by: \.code)      // [String: Country]
  /// // SELECT … FROM "country" WHERE "code" IS NOT NULL
  /// ```
  /// - Throws: ``DAOError/misuse(_:use:)`` for an attribute of another entity or of a function; ``DAOError``.
  public final func dictionary<V>(
    by path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all
  ) throws -> [V.Unwrapped: E] where V.Unwrapped: Hashable {
    guard case .field(let field) = E.term(path), let position = entity.position(of: field.description) else {
      throw DAOError.misuse("rows by \(E.term(path).projectedName), which is no attribute of \(entity.name)", use: "one of its attributes")
    }
    let (entity, type) = (entity, entity.attributes[position].type)
    return try findAll(criteria.filter(.isNotNull(path))).reduce(into: [:]) { found, row in
      do {
        found[try V.Unwrapped(scalar: type.scalar(try entity.storedValues(of: row)[position]))] = row
      } catch let problem as ValueProblem {
        throw DAOError.invalidValue(entity: entity.name, attribute: field.description, problem: "\(problem)")
      }
    }
  }
}
