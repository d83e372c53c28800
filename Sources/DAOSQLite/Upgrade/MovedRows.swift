/// Rows of a table that move, and how they are reached from the keys that do: tables, each joined with the one before. The first is `keys`,
/// with the keys that move as `old` and those to be as `new`; the others are `moved0`, `moved1` and so on.
struct MovedRows {
  private var parts: [(table: String, condition: String?)]
  /// Whether each table after the first two is searched by an index: then from the few that move to what references them, else as SQLite
  /// thinks best.
  var isIndexed = true

  init(_ table: String) { parts = [("\(table) AS keys", nil)] }

  func joining(_ table: String, on condition: String) -> Self {
    var more = self
    more.parts.append((table, condition))
    return more
  }

  private var joined: String {
    parts.map { part in part.table + (part.condition.map { " ON \($0)" } ?? "") }.joined(separator: isIndexed ? "\nCROSS JOIN " : "\nJOIN ")
  }

  /// The integer keys of the rows `mine` that reference these, and those that they get.
  func keys(_ table: MergeTable, _ key: String, where isReferring: [String]) -> String {
    """
    SELECT mine.\(key) AS old, keys.new AS new
    FROM \(joining("\(table.quoted) AS mine", on: isReferring.allHold).joined)
    """
  }

  /// Gives a column of the rows `mine` that reference these the new value.
  func update(_ table: MergeTable, _ column: String, where references: String, and others: [String]) -> String {
    """
    UPDATE \(table.orAbort)\(table.quoted) AS mine
    SET \(column) = keys.new
    FROM \(joined)
    WHERE \(([references] + others).allHold)
    """
  }
}
