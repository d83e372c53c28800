import DAOCriteria

/// The triggers that a write may fire, and so what else it may have written before it failed.
package struct FiredTriggers {
  /// A trigger of the store.
  package struct Trigger {
    /// The table whose rows fire it.
    let table: SchemaName
    /// The names and words of its statements.
    let words: Set<SchemaName>
    /// The columns that its updates may set: each name before `=` that follows `SET` or a comma; nil where a list of columns is set at once.
    let set: Set<SchemaName>?
    /// The tables from which it deletes.
    let deleted: Set<SchemaName>

    /// A trigger, by the table that has it and its SQL.
    package init(table: String, sql: String) {
      self.table = SchemaName(table)
      let tokens = SQLTokens.of(sql).drop { !$0.isWord("BEGIN") }
      words = Set(tokens.map { SchemaName($0.name) })
      let places = tokens.indices.dropFirst().dropLast().filter { tokens[$0 - 1].isWord("SET") || tokens[$0 - 1].isSign(",") }
      let setsList = places.contains { tokens[$0 - 1].isWord("SET") && tokens[$0].isSign("(") }
      let deletions = tokens.indices.dropFirst().dropLast().filter { tokens[$0 - 1].isWord("DELETE") && tokens[$0].isWord("FROM") }
      deleted = Set(deletions.map { SchemaName(tokens[$0 + 1].name) })
      set = setsList ? nil : Set(places.filter { tokens[$0 + 1].isSign("=") }.map { SchemaName(tokens[$0].name) })
    }

    fileprivate func has(_ words: String...) -> Bool { words.contains { self.words.contains(SchemaName($0)) } }
  }

  private let fired: [Trigger]

  /// The triggers that a write to a table may fire: its own, those of tables whose rows follow by a foreign key, and those of tables that a
  /// trigger among them names.
  init(of table: StoreSchema.Table, in schema: StoreSchema, _ triggers: [Trigger]) {
    var reached: Set<SchemaName> = []
    var next = triggers.isEmpty ? [] : [SchemaName(table.name)]
    while let name = next.popLast() {
      guard reached.insert(name).inserted else { continue }
      let named = triggers.filter { $0.table == name }.reduce(into: Set<SchemaName>()) { $0.formUnion($1.words) }
      for other in schema.tables {
        let follows = other.foreignKeys.contains { SchemaName($0.table) == name && !($0.denies(\.onDelete) && $0.denies(\.onUpdate)) }
        if follows || named.contains(SchemaName(other.name)) { next.append(SchemaName(other.name)) }
      }
    }
    fired = triggers.filter { reached.contains($0.table) }
  }

  /// Whether there is none.
  var isEmpty: Bool { fired.isEmpty }

  /// Whether one may have added rows to a table.
  func mayAddRows(to table: String) -> Bool { fired.contains { $0.has(table) && $0.has("INSERT", "REPLACE") } }

  /// Whether one may have given columns of a table other values.
  func maySet(_ columns: [String], of table: String) -> Bool {
    fired.contains { trigger in
      guard trigger.has(table), trigger.has("UPDATE") else { return false }
      return trigger.set.map { set in columns.contains { set.contains(SchemaName($0)) } } ?? true
    }
  }

  /// Whether one may have removed rows of a table, or rows of another with which they go.
  func mayRemoveRows(of table: StoreSchema.Table) -> Bool {
    let goesAlong = table.foreignKeys.contains { !$0.denies(\.onDelete) }
    return fired.contains { trigger in
      trigger.deleted.contains(SchemaName(table.name)) || trigger.has(table.name) && trigger.has("REPLACE")
        || goesAlong && !trigger.deleted.isEmpty
    }
  }

  /// Whether one may have removed or changed rows of a table.
  func mayChangeRows(of table: String) -> Bool { fired.contains { $0.has(table) && $0.has("DELETE", "UPDATE", "REPLACE") } }
}

extension StoreSchema.ForeignKey {
  /// Whether a row that is pointed to can't go, or change.
  func denies(_ action: KeyPath<Self, String>) -> Bool { ["NO ACTION", "RESTRICT"].contains(SchemaName.capitals(self[keyPath: action])) }

  /// Whether rows that point are deleted with those to which they point.
  var cascades: Bool { SchemaName.capitals(onDelete) == "CASCADE" }
}
