import DAOCriteria

/// What a criteria of one shape becomes: SQL text, and recipes that turn the values of any criteria of that shape into bindings.
///
/// A class, since it is handed on with each call.
final class SQLPlan: Sendable {
  /// The SQL.
  let text: String
  /// One recipe a placeholder, in order.
  let bindings: [Binding]
  /// The columns of a result.
  let columns: [Column]
  /// The same for the readers of its rows.
  let rowColumns: RowColumns
  /// Whether no row can match, so that nothing needs to be sent.
  let isEmpty: Bool

  struct Column: Sendable {
    let name: String
    let type: AttributeType
  }

  init(text: String, bindings: [Binding], columns: [Column], of entity: EntityDescription, isEmpty: Bool) {
    self.text = text
    self.bindings = bindings
    self.columns = columns
    self.rowColumns = RowColumns(columns.map(\.type), of: entity)
    self.isEmpty = isEmpty
  }
}

/// What is done with the rows that a criteria finds.
package enum StatementKind: Sendable {
  /// Whole entities.
  case entities
  /// Their keys.
  case keys
  /// How many there are.
  case count
  /// Whether there is one.
  case exists
  /// The criteria's projections.
  case report
  /// They are deleted.
  case delete
  /// They are changed.
  case update([Change])

  var tag: Int {
    switch self {
    case .entities: 0
    case .keys: 1
    case .count: 2
    case .exists: 3
    case .report: 4
    case .delete: 5
    case .update: 6
    }
  }

  var changes: [Change] { if case .update(let changes) = self { changes } else { [] } }

  func hasShape(of other: StatementKind) -> Bool {
    tag == other.tag && changes.count == other.changes.count
      && zip(changes, other.changes).allSatisfy { $0.target.hasShape(of: $1.target) && $0.value.hasShape(of: $1.value) }
  }
}
