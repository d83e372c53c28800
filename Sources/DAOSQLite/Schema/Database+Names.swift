import GRDB

extension Database {
  /// A name that nothing in the store has: the wanted one, or that with a number after it.
  func freeName(_ wanted: String) throws -> String {
    var (name, number) = (wanted, 1)
    while try has(name) { (name, number) = ("\(wanted)_\(number + 1)", number + 1) }
    return name
  }

  /// Whether anything in the store has a name. GRDB's own answer may be older than the last statement.
  func has(_ name: String) throws -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE)", arguments: [name]) ?? false
  }

  /// Whether a table or view has a name. Triggers have names of their own, and an index gives its name away.
  func hasTable(_ name: String) throws -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view'))",
      arguments: [name])
      ?? false
  }
}
