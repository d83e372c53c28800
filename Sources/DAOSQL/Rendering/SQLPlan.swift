import DAOCriteria

/// What a criteria of one shape becomes: SQL text, and recipes that turn the values of any criteria of that shape into bindings.
///
/// A class, since it is handed on with each call.
package final class SQLPlan: Sendable {
  /// The SQL.
  let text: String
  /// One recipe a placeholder, in order.
  let bindings: [Binding]
  /// The columns of a result.
  let columns: [Column]
  /// Which columns have the values of the order's terms, where it is a page's.
  let orderColumns: [Int]
  /// The same for the readers of its rows.
  let rowColumns: RowColumns
  /// The tables behind the aliases in the text.
  let aliases: [String: String]
  /// The entities besides its own that the text reads.
  let reached: [EntityDescription]
  /// Tells, as 0 or 1, whether quantifiers whose values decide are better asked by a look for each row; nil where there are none. A plan that is
  /// made with the answer is better by far where that is 1.
  let sample: SQLPlan?
  /// Whether no row can match, so that nothing needs to be sent.
  let isEmpty: Bool

  /// What a sample's answer is called, by which its statement is known.
  package static let sampleName = "dao_sample"

  struct Column: Sendable {
    let name: String
    let type: AttributeType
  }

  init(
    text: String, bindings: [Binding], columns: [Column], orderColumns: [Int] = [], of entity: EntityDescription,
    aliases: [String: String] = [:], reached: [EntityDescription] = [], sample: SQLPlan? = nil, isEmpty: Bool
  ) {
    self.text = text
    self.bindings = bindings
    self.columns = columns
    self.orderColumns = orderColumns
    self.rowColumns = RowColumns(columns.map(\.type), of: entity)
    self.aliases = aliases
    self.reached = reached
    self.sample = sample
    self.isEmpty = isEmpty
  }
}

/// What is done with the rows that a criteria finds.
package enum StatementKind: Sendable {
  /// Whole entities.
  case entities
  /// Whole entities, and the values of what they are ordered by.
  case page
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
    case .page: 7
    }
  }

  /// Whether the found rows come in the criteria's order, as they are.
  var readsRows: Bool {
    switch self {
    case .entities, .keys, .page: true
    case .count, .exists, .report, .delete, .update: false
    }
  }

  var changes: [Change] { if case .update(let changes) = self { changes } else { [] } }
}
