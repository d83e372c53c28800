extension DAO {
  /// The first entity of a query, or a new one that is inserted. Writes only to insert: one transaction repeats the query first, so that
  /// concurrent callers get the same row.
  ///
  /// ```swift
  /// let tag = try tags.findFirst(.where { $0.name == "new" }, orInsert: Tag(name: "new"))
  /// // SELECT … WHERE "name" = ? … LIMIT 1, and where there is no row INSERT INTO "tag" …
  /// ```
  ///
  /// Two units of work know nothing of each other's rows: there, only a unique attribute prevents two.
  /// - Throws: ``DAOError/misuse(_:use:)`` where the query would not find the new entity, so that each call would insert another one;
  ///   nothing is inserted then. ``DAOError``, and the errors of `make`.
  @discardableResult
  public final func findFirst(_ criteria: SearchCriteria<E>, orInsert make: @autoclosure () throws -> E) throws -> E {
    if let found = try findFirst(criteria) { return found }
    return try write {
      if let found = try findFirst(criteria) { return found }
      try insert(try make())
      guard let inserted = try findFirst(criteria) else {
        throw DAOError.misuse(
          "the inserted \(entity.name) is none that the criteria find", use: "an entity with the values of the criteria")
      }
      return inserted
    }
  }
}
