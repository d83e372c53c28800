import DAOCriteria

extension StoreSchema {
  /// The schema of a store that is made from entities, in the order in which SQLite reports it. It has no SQL.
  package init(of entities: [EntityDescription]) throws {
    self.init(tables: try entities.map { try Table(of: $0) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }
}

extension StoreSchema.Table {
  fileprivate init(of entity: EntityDescription) throws {
    let keys = try entity.foreignKeys()
    let searched = entity.searchableAttributes
    let declared =
      entity.attributes.flatMap { attribute in keys.filter { $0.attributes == [attribute] } } + keys.filter { $0.attributes.count > 1 }
    self.init(
      name: entity.table, isView: entity.isReadOnly,
      columns: try entity.attributes.map { attribute in
        StoreSchema.Column(
          name: attribute.column, declaredType: attribute.type.columnType, isNotNull: !attribute.isOptional,
          defaultValue: try attribute.defaultValue.map(attribute.type.stored),
          primaryKeyPosition: (entity.key.attributes.firstIndex(of: attribute.name) ?? -1) + 1, isGenerated: attribute.isGenerated,
          collation: attribute.type.collation)
      },
      indexes: (entity.indexes + entity.relationshipIndexes).map { index in
        let columns = index.attributes.compactMap { entity[$0]?.column }
        return StoreSchema.Index(name: "\(entity.table)_on_\(columns.joined(separator: "_"))", columns: columns, isUnique: index.isUnique)
      }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
      // SQLite lists the one first that was declared last.
      foreignKeys: declared.reversed().map { key in
        StoreSchema.ForeignKey(
          columns: key.attributes.map(\.column), table: key.table, targetColumns: key.columns, onDelete: key.onDelete.rawValue)
      },
      search: searched.isEmpty
        ? nil : StoreSchema.SearchTable(columns: searched.map(\.column), statements: [], isComplete: true))
  }
}
