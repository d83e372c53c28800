import DAOCriteria

/// The triggers that a write may fire, and therefore the other tables it may have written before it failed.
package struct FiredTriggers {
  /// A trigger of the store.
  package struct Trigger {
    /// The table whose rows fire it.
    let table: SchemaName
    /// The names and words of its statements.
    let words: Set<SchemaName>
    /// The tables to which it adds rows.
    let added: Set<SchemaName>
    /// The tables from which it deletes rows, or may replace some.
    let deleted: Set<SchemaName>
    /// The columns that its updates may set: each name before `=` that follows `SET` or a comma; nil where several are set at once.
    let set: Set<SchemaName>?

    /// A trigger.
    package init(
      table: SchemaName, words: Set<SchemaName>, added: Set<SchemaName>, deleted: Set<SchemaName>, set: Set<SchemaName>?
    ) {
      self.table = table
      self.words = words
      self.added = added
      self.deleted = deleted
      self.set = set
    }

    fileprivate func has(_ words: String...) -> Bool { words.contains { self.words.contains(SchemaName($0)) } }
  }

  private let schema: StoreSchema
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
    self.schema = schema
    fired = triggers.filter { reached.contains($0.table) }
  }

  /// Whether there is none.
  var isEmpty: Bool { fired.isEmpty }

  /// Whether one may have added rows to a table.
  func mayAddRows(to table: String) -> Bool { fired.contains { $0.added.contains(SchemaName(table)) } }

  /// Whether one may have given columns of a table other values, by itself or by a foreign key that has them follow.
  func maySet(_ columns: [String], of table: String) -> Bool {
    var seen: Set<SchemaName> = []
    return maySet(columns, of: table, &seen)
  }

  private func maySet(_ columns: [String], of table: String, _ seen: inout Set<SchemaName>) -> Bool {
    let columns = Set(columns.map { SchemaName($0) })
    let isSet = fired.contains { trigger in
      trigger.has(table) && trigger.has("UPDATE") && trigger.set.map { !$0.isDisjoint(with: columns) } ?? true
    }
    if isSet { return true }
    guard seen.insert(SchemaName(table)).inserted, let table = schema[table] else { return false }
    return table.foreignKeys.contains { key in
      guard !key.denies(\.onUpdate), key.columns.contains(where: { columns.contains(SchemaName($0)) }) else { return false }
      return maySet(schema.columns(of: key), of: key.table, &seen)
    }
  }

  /// Whether one may have removed rows of a table, or the rows that they pointed to.
  func mayRemoveRows(of table: StoreSchema.Table) -> Bool {
    var (lost, next): (Set<SchemaName>, [StoreSchema.Table]) = ([SchemaName(table.name)], [table])
    while let other = next.popLast() {
      for key in other.foreignKeys where !key.denies(\.onDelete) && lost.insert(SchemaName(key.table)).inserted {
        if let parent = schema[key.table] { next.append(parent) }
      }
    }
    return fired.contains { !$0.deleted.isDisjoint(with: lost) } || mayIgnoreRows(of: table)
  }

  /// Whether one may have left out the write of a row.
  func mayIgnoreRows(of table: StoreSchema.Table) -> Bool {
    fired.contains { $0.table == SchemaName(table.name) && $0.has("RAISE") && $0.has("IGNORE") }
  }

  /// Whether one may have removed or changed rows of a table.
  func mayChangeRows(of table: String) -> Bool { fired.contains { $0.has(table) && $0.has("DELETE", "UPDATE", "REPLACE") } }
}

extension StoreSchema.ForeignKey {
  /// Whether a row that is pointed to can't go, or change.
  func denies(_ action: KeyPath<Self, String>) -> Bool {
    ["NO ACTION", "RESTRICT"].contains(SchemaName.capitals(self[keyPath: action]))
  }

  /// Whether rows that point are deleted with those to which they point.
  var cascades: Bool { SchemaName.capitals(onDelete) == "CASCADE" }
}
