/// What a commit does about a row that somebody else has changed, or deleted, since the unit read it.
///
/// ```swift
/// try work.commit(resolving: .byAttribute)
/// try work.commit(resolving: .decide { conflict in conflict.attributes == ["note"] ? .keepMine : .refuse })
/// ```
public enum ConflictPolicy: Sendable {
  /// Throws ``DAOError/conflict(_:)``, and nothing is written: the default.
  case refuse
  /// Writes the unit's row. One that somebody else has deleted is added again.
  case keepMine
  /// Leaves the row as it is in the store; the unit's edit of it goes.
  case takeTheirs
  /// Writes the attributes that the unit has changed, and leaves those that somebody else has. An attribute that both have given different
  /// values, and a row that one of them has deleted, are conflicts still.
  case byAttribute
  /// Asks for each row.
  case decide(@Sendable (DAOError.Conflict) throws -> Resolution)

  /// What is done about one row.
  public enum Resolution: Sendable {
    /// As ``ConflictPolicy/refuse``.
    case refuse
    /// As ``ConflictPolicy/keepMine``.
    case keepMine
    /// As ``ConflictPolicy/takeTheirs``.
    case takeTheirs
    /// As ``ConflictPolicy/byAttribute``.
    case byAttribute
    /// Writes the row of the store with these values, by the names of attributes.
    case values([String: Scalar])
  }

  package func resolution(of conflict: DAOError.Conflict) throws -> Resolution {
    switch self {
    case .refuse: .refuse
    case .keepMine: .keepMine
    case .takeTheirs: .takeTheirs
    case .byAttribute: .byAttribute
    case .decide(let decide): try decide(conflict)
    }
  }
}
