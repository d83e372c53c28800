import DAOCriteria

extension SeedConflict {
  /// The policy for rows that both the new seed and the user changed.
  ///
  /// ```swift
  /// .upgrade(conflicts: .byColumn)
  /// .upgrade(conflicts: .decide { conflict in conflict.table == "zone" ? .seed : .mine })
  /// ```
  public enum Policy: Sendable {
    /// The user.
    case keepMine
    /// The seed.
    case takeSeed
    /// Column by column: a column that only the seed changed follows the seed, one that only the user changed stays, and one that both
    /// changed stays and is reported. A row that one side deleted or both added stays as the user has it.
    case byColumn
    /// A closure decides each conflict. It runs while the store is locked for writing, and must not use the store. Where it throws, nothing
    /// is upgraded.
    case decide(@Sendable (SeedConflict) throws -> SeedConflict.Decision)
  }
}
