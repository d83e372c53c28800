import DAOCriteria

/// A condition as SQL, or as the constant that it turned out to be.
enum LoweredCondition {
  case constant(Bool)
  case sql(SQLFragment, isCompound: Bool)

  var isAlwaysFalse: Bool { if case .constant(false) = self { true } else { false } }

  static func sql(_ fragment: SQLFragment) -> LoweredCondition { .sql(fragment, isCompound: false) }

  /// The condition behind others that lead to its rows, or before them where it goes deep.
  func behind(_ others: [LoweredCondition]) -> [LoweredCondition] {
    if case .sql(let fragment, _) = self, StatementDepth.isDeepBeyondRelationship(fragment.depth) { return [self] + others }
    return others + [self]
  }

  /// The same, known to have this depth.
  func deep(_ depth: Int) -> LoweredCondition {
    guard case .sql(var fragment, let isCompound) = self else { return self }
    fragment.depth = depth
    return .sql(fragment, isCompound: isCompound)
  }
}
