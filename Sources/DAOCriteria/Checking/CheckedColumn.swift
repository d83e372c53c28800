/// One column of a report.
package struct CheckedColumn: Sendable {
  /// The column as it was asked for.
  package let column: Criteria.Column
  /// The term that is projected.
  package let term: CheckedTerm

  /// Whether there is one row for each of its values.
  package var isGroup: Bool { column.isGroup }
}
