extension DAO {
  /// The entities of a query by an attribute. Those without a value are left out; of several with the same value, the last in the order of
  /// the criteria stays, and without one the last by key.
  ///
  /// ```swift
  /// let byCode = try countries.dictionary(by: \.code)      // [String: Country]
  /// // SELECT … FROM "country" WHERE "code" IS NOT NULL ORDER BY "code"
  /// ```
  ///
  /// Texts that Swift takes for equal, such as an é in its two spellings, are one key, though they are two values of the store.
  /// - Throws: ``DAOError/misuse(_:use:)`` for an attribute of another entity or of a function; ``DAOError``.
  public final func dictionary<V>(
    by path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all
  ) throws -> [V.Unwrapped: E] where V.Unwrapped: Hashable { try dictionary(Operand(path), criteria) }

  func dictionary<V>(_ operand: Operand<E, V>, _ criteria: SearchCriteria<E>) throws -> [V.Unwrapped: E] where V.Unwrapped: Hashable {
    guard case .field(let field) = operand.term, let position = entity.position(of: field.description) else {
      throw DAOError.misuse("rows by \(operand.term.projectedName), which is no attribute of \(entity.name)", use: "one of its attributes")
    }
    var criteria = criteria.filter(.isNotNull(operand))
    if criteria.criteria.orders.isEmpty {
      criteria = criteria.order(by: entity.key.attributes.map { .ascending(Operand<E, Scalar>.field($0)) })
    }
    let (entity, type) = (entity, entity.attributes[position].type)
    return try findAll(criteria).reduce(into: [:]) { found, row in
      do {
        found[try V.Unwrapped(scalar: type.scalar(try entity.storedValues(of: row)[position]))] = row
      } catch let problem as ValueProblem {
        throw DAOError.invalidValue(entity: entity.name, attribute: field.description, problem: "\(problem)")
      }
    }
  }
}
