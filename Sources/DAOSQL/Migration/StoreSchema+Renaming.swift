import DAOCriteria
import DAOSchema

extension StoreSchema {
  /// The schema as it is when a table has another name. SQLite renames it in the foreign keys of other tables too.
  func renaming(table old: String, to new: String) -> StoreSchema {
    StoreSchema(
      tables: tables.map { table in
        table.changed(
          name: SchemaName.same(table.name, old) ? new : table.name,
          foreignKeys: table.foreignKeys.map { key in
            SchemaName.same(key.table, old)
              ? ForeignKey(columns: key.columns, table: new, targetColumns: key.targetColumns, onDelete: key.onDelete) : key
          })
      })
  }

  /// The schema as it is when a column has another name. SQLite renames it in indexes and in the foreign keys of other tables too.
  func renaming(column old: String, of name: String, to new: String) -> StoreSchema {
    func renamed(_ columns: [String]) -> [String] { columns.map { SchemaName.same($0, old) ? new : $0 } }
    return StoreSchema(
      tables: tables.map { table in
        let isIt = SchemaName.same(table.name, name)
        return table.changed(
          columns: isIt ? table.columns.map { SchemaName.same($0.name, old) ? $0.renamed(new) : $0 } : table.columns,
          indexes: isIt ? table.indexes.map { $0.over(renamed($0.columns), descending: renamed($0.descending)) } : table.indexes,
          foreignKeys: table.foreignKeys.map { key in
            ForeignKey(
              columns: isIt ? renamed(key.columns) : key.columns, table: key.table,
              targetColumns: SchemaName.same(key.table, name) ? renamed(key.targetColumns) : key.targetColumns, onDelete: key.onDelete)
          })
      })
  }
}

extension StoreSchema.Table {
  fileprivate func changed(
    name: String? = nil, columns: [StoreSchema.Column]? = nil, indexes: [StoreSchema.Index]? = nil, foreignKeys: [StoreSchema.ForeignKey]
  ) -> StoreSchema.Table {
    StoreSchema.Table(
      name: name ?? self.name, isView: isView, columns: columns ?? self.columns, indexes: indexes ?? self.indexes, foreignKeys: foreignKeys,
      isWithoutRowID: isWithoutRowID, isStrict: isStrict, search: search)
  }
}

extension StoreSchema.Column {
  fileprivate func renamed(_ name: String) -> StoreSchema.Column {
    StoreSchema.Column(
      name: name, declaredType: declaredType, isNotNull: isNotNull, defaultSQL: defaultSQL, defaultValue: defaultValue,
      primaryKeyPosition: primaryKeyPosition,
      isGenerated: isGenerated, collation: collation, problem: problem)
  }
}

extension StoreSchema.Index {
  fileprivate func over(_ columns: [String], descending: [String]) -> StoreSchema.Index {
    StoreSchema.Index(name: name, columns: columns, descending: descending, isUnique: isUnique, origin: origin, isPlain: isPlain)
  }
}
