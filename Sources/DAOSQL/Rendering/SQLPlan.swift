import DAOCriteria

/// The rendered form of a query shape: SQL text, and recipes that turn the values of any criteria of that shape into bindings.
///
/// A class, since it is passed on with each call.
package final class SQLPlan: Sendable {
  /// The SQL.
  let text: String
  /// One recipe a placeholder, in order.
  let bindings: [Binding]
  /// The values of the criteria that the statement does not take, which have to fit all the same.
  let unsent: [CheckedValue]
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
  /// A query that returns, as 0 or 1, whether quantifiers whose values decide are better evaluated by a lookup for each row; nil where
  /// there are none. A plan made with the answer is better by far where the answer is 1.
  let sample: SQLPlan?
  /// Whether no row can match, so that nothing needs to be sent.
  let isEmpty: Bool

  /// The name of a sample's result column, which identifies its statement.
  package static let sampleName = "dao_sample"

  struct Column: Sendable {
    let name: String
    let type: AttributeType
  }

  /// - Parameter uses: every use of the criteria's values.
  init(
    _ sql: SQLFragment, for dialect: SQL.Dialect = .sqlite, using uses: [CheckedValue], columns: [Column], orderColumns: [Int] = [],
    of entity: EntityDescription,
    aliases: [String: String] = [:], reached: [EntityDescription] = [], sample: SQLPlan? = nil, isEmpty: Bool
  ) {
    (text, bindings) = dialect.write(sql)
    let sent = isEmpty ? [] : Set(bindings.map(\.number))
    unsent = uses.filter { !sent.contains($0.number) }
    self.columns = columns
    self.orderColumns = orderColumns
    self.rowColumns = RowColumns(columns.map(\.type), of: entity)
    self.aliases = aliases
    self.reached = reached
    self.sample = sample
    self.isEmpty = isEmpty
  }

  /// Whether a value does not fit that the statement does not take; those that it takes are checked as they are bound.
  @inline(__always)
  func refuses(_ values: [CriteriaValue]) -> Bool { !unsent.isEmpty && !unsent.allSatisfy { $0.fits(values) } }
}
