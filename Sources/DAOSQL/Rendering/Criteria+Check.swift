import DAOCriteria

// The check that a criteria passes before its SQL is written, for stores that have no SQL.
extension Criteria {
  /// Refuses a criteria that does not fit the target's entity or what is done with its rows.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  package func check(_ kind: StatementKind, in target: EntityTarget) throws {
    var scoped = self
    scoped.scope = target.scope
    _ = try SQLRenderer.plan(kind, scoped, in: target.entity)
  }
}

extension EntityTarget {
  /// Refuses a statement over one row that does not fit the entity.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  package func check(_ statement: RowStatement) throws { _ = try SQLRenderer.plan(statement, scope: scope, in: entity) }
}
