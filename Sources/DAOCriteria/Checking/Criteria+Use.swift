extension Criteria {
  /// The operation on the rows that match a query: it decides which parts of the criteria make sense.
  public enum Use: Sendable {
    /// Whole entities are read.
    case entities
    /// Whole entities are read, and the values of the terms that they are ordered by.
    case page
    /// Their keys are read.
    case keys
    /// They are counted.
    case count
    /// A check that a row exists.
    case exists
    /// The criteria's projections are read.
    case report
    /// They are deleted.
    case delete
    /// They are changed.
    case update([Criteria.Change])

    /// A number for it, which is part of the shape.
    var tag: Int {
      switch self {
      case .entities: 0
      case .keys: 1
      case .count: 2
      case .exists: 3
      case .report: 4
      case .delete: 5
      case .update: 6
      case .page: 7
      }
    }

    /// Whether the rows are returned in the criteria's order, as they are.
    package var readsRows: Bool {
      switch self {
      case .entities, .keys, .page: true
      case .count, .exists, .report, .delete, .update: false
      }
    }

    /// The changes of an update; none otherwise.
    package var changes: [Criteria.Change] { if case .update(let changes) = self { changes } else { [] } }
  }
}
