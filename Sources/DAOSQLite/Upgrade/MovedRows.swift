/// Rows of a table that move, and how they are reached from the keys that do: tables, each joined with the one before. The first is `keys`,
/// with the keys that move as `old` and those to be as `new`; the others are `moved0`, `moved1` and so on.
struct MovedRows {
  private var parts: [(table: String, condition: String?)]
  /// Whether each table after the first two is searched by an index.
  var isIndexed = true

  init(_ table: String) { parts = [("\(table) AS keys", nil)] }

  func joining(_ table: String, on condition: String) -> Self {
    var more = self
    more.parts.append((table, condition))
    return more
  }

  private func joined(by join: String) -> String {
    parts.map { part in part.table + (part.condition.map { " ON \($0)" } ?? "") }.joined(separator: "\n\(join) ")
  }

  /// The integer keys of the rows `mine` that reference these, and those that they get.
  func keys(_ table: MergeTable, _ key: String, where isReferring: [String]) -> String {
    """
    SELECT mine.\(key) AS old, keys.new AS new
    FROM \(joining("\(table.quoted) AS mine", on: isReferring.allHold).joined(by: isIndexed ? "CROSS JOIN" : "JOIN"))
    """
  }

  /// Gives a column of the rows `mine` that reference these the new value.
  func update(_ table: MergeTable, _ column: String, where references: String, and others: [String]) -> String {
    // Whoever has read such a row would write the old reference back.
    let raised = table.version.map { ", \(table.columns[$0].quoted) = \(MergeTable.nextVersion(table.mine($0)))" } ?? ""
    // From the few that move to what references them.
    if isIndexed {
      return """
        UPDATE \(table.orAbort)\(table.quoted) AS mine
        SET \(column) = keys.new\(raised)
        FROM \(joined(by: "CROSS JOIN"))
        WHERE \(([references] + others).allHold)
        """
    }
    // Each row is asked once whether what it references moves.
    let rows = "FROM \(joined(by: "JOIN")) WHERE \(references)"
    return """
      UPDATE \(table.orAbort)\(table.quoted) AS mine
      SET \(column) = (SELECT keys.new \(rows))\(raised)
      WHERE \((["EXISTS (SELECT 1 \(rows))"] + others).allHold)
      """
  }
}
