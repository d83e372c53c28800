import DAOCriteria

extension StoreSchema {
  /// Everything in which the store does not fit the entities; empty where they can be read and written.
  ///
  /// Compared are: the table, each column's presence, type, nullability and default, the primary key, the indexes and foreign keys that the
  /// entity names, the indexes of its to-one relationships, which criteria through them rely on, and the search table with its triggers. What the
  /// store has beyond that is its own affair, except a column that every insert would have to fill. Of a view only the columns' names are
  /// compared; SQLite says no more about them.
  public func differences(from entities: [EntityDescription]) -> [SchemaDifference] { entities.flatMap(differences(from:)) }

  private func differences(from entity: EntityDescription) -> [SchemaDifference] {
    let named = "\(entity.isReadOnly ? "the view" : "the table") \"\(entity.table)\""
    guard let table = self[entity.table] else {
      return [SchemaDifference(entity: entity.name, element: "", expected: named, found: "neither a table nor a view of this name")]
    }
    if table.isView, !entity.isReadOnly {
      return [SchemaDifference(entity: entity.name, element: "", expected: named, found: "a view of this name")]
    }
    var found = Differences(entity: entity, table: table, schema: self)
    found.compareColumns()
    guard !entity.isReadOnly else { return found.all }
    found.compareUnnamedColumns()
    found.compareKey()
    found.compareIndexes()
    found.compareForeignKeys()
    found.compareSearch()
    return found.all
  }
}

/// The differences of one entity, as they are found.
private struct Differences {
  let entity: EntityDescription
  let table: StoreSchema.Table
  let schema: StoreSchema
  var all: [SchemaDifference] = []

  init(entity: EntityDescription, table: StoreSchema.Table, schema: StoreSchema) {
    self.entity = entity
    self.table = table
    self.schema = schema
  }

  mutating func add(_ element: String, _ expected: String, _ found: String) {
    all.append(SchemaDifference(entity: entity.name, element: element, expected: expected, found: found))
  }

  mutating func compareColumns() {
    for attribute in entity.attributes {
      if isImplicitKey(attribute) { continue }
      guard let column = table[attribute.column] else {
        add(attribute.name, "the column \"\(attribute.column)\"", "no such column")
        continue
      }
      guard !entity.isReadOnly else { continue }
      if !attribute.type.fits(declared: column.declaredType) {
        add(attribute.name, "the type \(attribute.type.declaredName)", "the type \(column.declaredType)")
      }
      // Text is equal and ordered by its bytes; a column that folds case would say otherwise.
      if column.collation != "BINARY" { add(attribute.name, "the collation BINARY", "the collation \(column.collation)") }
      if column.isGenerated { add(attribute.name, "a column that can be written", "a generated column") }
      compareNullability(attribute, column)
      compareDefault(attribute, column)
    }
  }

  private mutating func compareNullability(_ attribute: Attribute, _ column: StoreSchema.Column) {
    let isNotNull = column.isNotNull || column.name == table.integerPrimaryKey
    if isNotNull == attribute.isOptional { add(attribute.name, Self.nullability(!attribute.isOptional), Self.nullability(isNotNull)) }
  }

  private static func nullability(_ isNotNull: Bool) -> String { isNotNull ? "NOT NULL" : "no NOT NULL" }

  /// A default that only the store has changes nothing: entities write every attribute.
  private mutating func compareDefault(_ attribute: Attribute, _ column: StoreSchema.Column) {
    guard let value = attribute.defaultValue, let expected = try? attribute.type.stored(value), !expected.isNull else { return }
    guard let sql = column.defaultSQL else { return add(attribute.name, "the default \(SQLLiteral.text(expected))", "no default") }
    guard let found = SQLLiteral.value(sql), found == expected || found.isNumber(equalTo: expected) else {
      return add(attribute.name, "the default \(SQLLiteral.text(expected))", "the default \(sql)")
    }
  }

  mutating func compareUnnamedColumns() {
    for column in table.columns where !entity.attributes.contains(where: { SchemaName.same($0.column, column.name) }) {
      guard column.isNotNull, column.defaultSQL == nil, !column.isGenerated, column.name != table.integerPrimaryKey else { continue }
      add(column.name, "no such attribute", "the column \"\(column.name)\", NOT NULL and without a default, which inserts would leave out")
    }
  }

  mutating func compareKey() {
    if entity.keyAttributes.contains(where: isImplicitKey) { return }
    let columns = entity.keyAttributes.map(\.column)
    let element = entity.key.attributes.joined(separator: ", ")
    if !SchemaName.same(columns, table.primaryKey) {
      let found = table.primaryKey
      add(element, "the primary key (\(columns.joined(separator: ", ")))", found.isEmpty ? "none" : "(\(found.joined(separator: ", ")))")
    } else if entity.hasGeneratedKey, table.integerPrimaryKey == nil {
      add(element, "a generated key, INTEGER PRIMARY KEY", "a key that SQLite does not generate")
    }
  }

  /// The key of a table that declares none: its row id.
  private func isImplicitKey(_ attribute: Attribute) -> Bool {
    entity.key == .generated(attribute.name) && table.implicitRowID.map { SchemaName.same($0, attribute.column) } == true
  }

  mutating func compareIndexes() { all += table.missingIndexes(of: entity).map(\.difference) }

  mutating func compareForeignKeys() {
    let expectedKeys: [EntityForeignKey]
    do { expectedKeys = try entity.foreignKeys() } catch {
      return add("", "relationships that fit their entities", "\(error)")
    }
    for expected in expectedKeys {
      let columns = expected.attributes.map(\.column)
      let found = table.foreignKeys.filter { SchemaName.same($0.columns, columns) }.map { key in
        (
          table: key.table, columns: key.targetColumns.isEmpty ? schema[key.table]?.primaryKey ?? [] : key.targetColumns,
          action: key.onDelete.uppercased()
        )
      }
      let isThere = found.contains {
        SchemaName.same($0.table, expected.table) && SchemaName.same($0.columns, expected.columns)
          // RESTRICT denies at once what NO ACTION denies at the statement's or transaction's end.
          && ($0.action == expected.onDelete.rawValue || $0.action == "RESTRICT" && expected.onDelete == .deny)
      }
      if !isThere {
        let other = found.first.map { Self.sentence($0.table, $0.columns, $0.action) }
        add(
          expected.attributes.map(\.name).joined(separator: ", "),
          "the foreign key \(Self.sentence(expected.table, expected.columns, expected.onDelete.rawValue))",
          other.map { "the foreign key \($0)" } ?? "none")
      }
    }
  }

  /// A search table of another form would find other words, and one that is not kept in step other rows. Those that were there before it can't even
  /// be deleted: FTS5 takes a row that it does not know for damage.
  mutating func compareSearch() {
    for statement in SearchSQL.statements(for: entity) where table.search?.statements.contains(statement) != true {
      add("search", statement, "none that is so")
    }
    if table.search?.isBehind == true, !entity.searchableAttributes.isEmpty {
      add("search", "a search table of all rows, for which \(SearchSQL.rebuild(table.name)) is run", "one that has none of them")
    }
  }

  private static func sentence(_ table: String, _ columns: [String], _ action: String) -> String {
    "REFERENCES \(table.quotedIdentifier) (\(columns.map(\.quotedIdentifier).joined(separator: ", "))) ON DELETE \(action)"
  }
}

extension StoreSchema.Table {
  /// The indexes that an entity names, and those of its to-one relationships, which the table has not. One for searching may go on with more
  /// columns; one that forbids doubles must have just these.
  package func missingIndexes(of entity: EntityDescription) -> [(index: DAOCriteria.Index, difference: SchemaDifference)] {
    (entity.indexes + entity.relationshipIndexes).compactMap { index in
      let attributes = index.attributes.compactMap { entity[$0] }
      let columns = attributes.map(\.column)
      let isDescending = attributes.map { index.descending.contains($0.name) }
      // Behind a primary key there may be no index that has a name.
      let key = StoreSchema.Index(name: "", columns: primaryKey, isUnique: true)
      let isThere = ([key] + indexes.filter(\.isPlain)).contains { found in
        index.isUnique
          ? found.isUnique && SchemaName.same(found.columns, columns) && found.serves(isDescending)
          : SchemaName.same(Array(found.columns.prefix(columns.count)), columns) && found.serves(isDescending)
      }
      if isThere { return nil }
      let list = zip(columns, isDescending).map { $0 + ($1 ? " DESC" : "") }.joined(separator: ", ")
      let difference = SchemaDifference(
        entity: entity.name, element: index.attributes.joined(separator: ", "),
        expected: "a\(index.isUnique ? " unique" : "n") index on (\(list))", found: "none")
      return (index, difference)
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
