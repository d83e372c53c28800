import DAOCriteria
import DAOSchema

/// Compares one entity with its table.
package struct SchemaComparison {
  private let entity: EntityDescription
  private let table: StoreSchema.Table
  private let schema: StoreSchema
  private var found: [EntityDifference] = []

  /// The differences between a store and an entity; empty where there are none.
  package static func differences(of schema: StoreSchema, from entity: EntityDescription) -> [EntityDifference] {
    guard let table = schema[entity.table] else { return [.noTable] }
    if table.isView, !entity.isReadOnly { return [.isView] }
    if let problem = table.problem { return [.unreadableView(problem)] }
    var comparison = SchemaComparison(entity: entity, table: table, schema: schema)
    comparison.compareColumns()
    guard !entity.isReadOnly else { return comparison.found }
    comparison.compareUnnamedColumns()
    comparison.compareKey()
    comparison.compareIndexes()
    comparison.compareForeignKeys()
    comparison.compareSearch()
    return comparison.found
  }

  private init(entity: EntityDescription, table: StoreSchema.Table, schema: StoreSchema) {
    self.entity = entity
    self.table = table
    self.schema = schema
  }

  private mutating func compareColumns() {
    for attribute in entity.attributes {
      if isImplicitKey(attribute) { continue }
      guard let column = table[attribute.column] else {
        found.append(.noColumn(attribute))
        continue
      }
      if !attribute.fits(declared: column.declaredType, isOnlyRead: entity.isReadOnly) { found.append(.type(attribute, column)) }
      if entity.isReadOnly { continue }
      if !attribute.type.compares(by: column.collation) { found.append(.collation(attribute, column)) }
      if column.isGenerated != attribute.isGenerated {
        found.append(attribute.isGenerated ? .notGenerated(attribute) : .generated(attribute))
      }
      if let problem = column.problem { found.append(.unreadable(attribute, problem)) }
      // SQLite allows nulls in a key without NOT NULL. A row that has one is an error when it is read.
      let isKey = column.primaryKeyPosition > 0 && entity.key.attributes.contains(attribute.name)
      let isNotNull = column.isNotNull || table.isIntegerPrimaryKey(column) || isKey && !attribute.isOptional
      // Of any value null is one, as a type: a column that takes none refuses it when it is written.
      let isAny = attribute.type == .any && attribute.isOptional
      if isNotNull == attribute.isOptional, !isAny { found.append(.nullability(attribute)) }
      compareDefault(attribute, column)
    }
  }

  /// A default that only the store has changes nothing: entities write every attribute.
  private mutating func compareDefault(_ attribute: Attribute, _ column: StoreSchema.Column) {
    guard let value = attribute.defaultValue, let expected = try? attribute.type.stored(value), !expected.isNull else { return }
    guard let value = column.defaultValue, value == expected || value.isNumber(equalTo: expected) else {
      return found.append(.defaultValue(attribute, expected: SQLLiteral.text(expected), found: column.defaultSQL))
    }
  }

  private mutating func compareUnnamedColumns() {
    for column in table.columns where !entity.attributes.contains(where: { SchemaName.same($0.column, column.name) }) {
      guard column.isNotNull, column.defaultSQL == nil, !column.isGenerated, !table.isIntegerPrimaryKey(column) else { continue }
      found.append(.unnamedColumn(column))
    }
  }

  private mutating func compareKey() {
    if entity.keyAttributes.contains(where: isImplicitKey) { return }
    if !SchemaName.same(entity.keyAttributes.map(\.column), table.primaryKey) {
      found.append(.key(found: table.primaryKey))
    } else if entity.hasGeneratedKey, table.integerPrimaryKey == nil {
      found.append(.keyIsNotGenerated)
    }
  }

  /// The key of a table that declares none: its row id.
  private func isImplicitKey(_ attribute: Attribute) -> Bool {
    entity.key == .generated(attribute.name) && table.implicitRowID.map { SchemaName.same($0, attribute.column) } == true
  }

  private mutating func compareIndexes() { found += table.missingIndexes(of: entity).map { .index($0) } }

  private mutating func compareForeignKeys() {
    let expectedKeys: [EntityForeignKey]
    do { expectedKeys = try entity.foreignKeys() } catch { return found.append(.relationships("\(error)")) }
    for expected in expectedKeys {
      let columns = expected.attributes.map(\.column)
      let keys = table.foreignKeys.filter { SchemaName.same($0.columns, columns) }.map { key in
        StoreSchema.ForeignKey(
          columns: columns, table: key.table, targetColumns: schema.columns(of: key), onDelete: SchemaName.capitals(key.onDelete))
      }
      let isThere = keys.contains {
        SchemaName.same($0.table, expected.table) && SchemaName.same($0.targetColumns, expected.columns)
          // RESTRICT denies at once what NO ACTION denies at the statement's or transaction's end.
          && ($0.onDelete == expected.onDelete.rawValue || $0.onDelete == "RESTRICT" && expected.onDelete == .deny)
      }
      if !isThere { found.append(.foreignKey(expected, found: keys.first)) }
    }
  }

  /// A search table of another form would find other words, and one that is not kept in step other rows. Those that were there before it
  /// can't even be deleted: FTS5 takes a row that it does not know for damage.
  private mutating func compareSearch() {
    for statement in SearchSQL.statements(for: entity) where table.search?.has(statement) != true {
      found.append(.search(statement))
    }
    if table.search?.isBehind == true, !entity.searchableAttributes.isEmpty { found.append(.searchIsBehind) }
  }
}

extension AttributeType {
  /// Whether values compare as the type says in a column of this collation. Numbers and bytes have none, and texts of one form are equal
  /// and ordered alike by any that SQLite has; others may not be known to the connection.
  package func compares(by collation: String) -> Bool {
    switch self {
    case .text, .storedText, .json, .any: self.collation == collation
    case .bool, .boolText, .integer, .real, .data, .uuid, .date, .decimal: StoreSchema.Column.collationsOfSQLite.contains(collation)
    }
  }
}

extension StoreSchema.Table {
  /// The indexes that an entity names, and those of its to-one relationships, which the table has not. One for searching may go on with
  /// more columns; one that forbids doubles must have just these.
  package func missingIndexes(of entity: EntityDescription) -> [DAOCriteria.Index] {
    (entity.indexes + entity.relationshipIndexes).filter { index in
      let attributes = index.attributes.compactMap { entity[$0] }
      let columns = attributes.map(\.column)
      let isDescending = attributes.map { index.descending.contains($0.name) }
      // Behind a primary key there may be no index that has a name.
      let key = StoreSchema.Index(name: "", columns: primaryKey, isUnique: true)
      return !([key] + indexes.filter(\.isPlain)).contains { found in
        index.isUnique
          ? found.isUnique && SchemaName.same(found.columns, columns) && found.serves(isDescending)
          : SchemaName.same(Array(found.columns.prefix(columns.count)), columns) && found.serves(isDescending)
      }
    }
  }
}

extension StoreSchema.Index {
  /// Whether its first columns can be read in these directions, from one end or the other. One that asks for none is content with any.
  fileprivate func serves(_ isDescending: [Bool]) -> Bool {
    guard isDescending.contains(true) else { return true }
    let own = columns.prefix(isDescending.count).map { descending.contains($0) }
    return own == isDescending || own == isDescending.map { !$0 }
  }
}

extension StoredValue {
  /// `0` and `0.0` are the same default.
  fileprivate func isNumber(equalTo other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): Double(a) == b
    default: false
    }
  }
}
