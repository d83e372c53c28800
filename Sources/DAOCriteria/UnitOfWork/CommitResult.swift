/// The result of a commit.
public enum CommitResult: Sendable {
  /// The changes are stored. New rows have the keys that the store has generated.
  case committed(UnitChanges)
  /// The unit had no changes; nothing was written.
  case nothingToDo

  /// The changes; none where there was nothing to do.
  public var changes: UnitChanges { if case .committed(let changes) = self { changes } else { UnitChanges() } }
}
