/// What a commit of a unit of work would do now.
public struct UnitPreview: Sendable {
  /// A statement that the commit would run.
  public struct Statement: Sendable, Hashable {
    /// Its SQL, with a `?` for each value.
    public let sql: String
    /// The values.
    public let values: [Scalar]
  }

  /// The changes of the unit.
  public let changes: UnitChanges
  /// The statements that would write them, in their order; none in a unit that commits into another, and where a conflict or a problem is
  /// in the way.
  public let statements: [Statement]
  /// The conflicts that the policy refuses. With any, nothing would be written.
  public let conflicts: [DAOError.Conflict]
  /// The error that the commit would end with: a constraint of the store. Another may come up when this one is settled.
  public let problem: DAOError?

  /// Whether the commit would go through.
  public var isClean: Bool { conflicts.isEmpty && problem == nil }

  package init(
    changes: UnitChanges, statements: [(sql: String, values: [StoredValue])] = [], conflicts: [DAOError.Conflict] = [],
    problem: DAOError? = nil
  ) {
    self.changes = changes
    self.statements = statements.map { statement in
      Statement(sql: statement.sql, values: statement.values.map { (try? AttributeType.any.scalar($0)) ?? .null })
    }
    self.conflicts = conflicts
    self.problem = problem
  }
}

extension UnitPreview: CustomStringConvertible {
  /// The preview in words, without values: the changes, the conflicts, the problem.
  public var description: String {
    let lines = changes.rows.map(\.description) + conflicts.map { "conflict: \($0)" } + (problem.map { ["problem: \($0)"] } ?? [])
    return lines.joined(separator: "\n")
  }
}
