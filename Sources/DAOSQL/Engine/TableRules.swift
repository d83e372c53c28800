import DAOCriteria

/// The properties of a table that decide how an upsert must be written.
package struct TableRules: Sendable, Hashable {
  /// Whether the table keeps its rows without a key that the engine generates.
  package let hasNoRowID: Bool
  /// Whether a constraint or trigger may pass over a row without an error.
  package let mayIgnoreRows: Bool

  /// Rules; most tables have none of them.
  package init(hasNoRowID: Bool = false, mayIgnoreRows: Bool = false) {
    self.hasNoRowID = hasNoRowID
    self.mayIgnoreRows = mayIgnoreRows
  }
}
