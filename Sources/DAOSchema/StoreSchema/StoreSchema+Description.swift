import DAOCriteria

extension StoreSchema {
  /// An entity for a table or view of the store, under its name there; nil where there is none.
  ///
  /// Attributes are named as their columns and typed by the declared type names that ``AttributeType`` documents, texts by their collation
  /// too. The key is
  /// - `.generated` for an `INTEGER PRIMARY KEY`;
  /// - `.assigned` for any other declared key, in its order. SQLite allows nulls in these keys without `NOT NULL`
  ///   (sqlite.org/lang_createtable.html, section 3.5), and the description allows them too, so that criteria take them into account;
  /// - `.generated("rowid")`, as the first attribute, for a table that declares none;
  /// - all columns for a view, where nothing is known about rows, or those that are stated to be its key; all of them may be null.
  ///
  /// Generated columns are attributes that are only read; those that can't be read, and columns without a name, are left out. Of columns
  /// whose names differ in how a letter is spelled alone, which Swift finds equal, each after the first is an attribute with a number: `Ä`
  /// and `Ä_2`.
  ///
  /// Attributes are searchable where the store has the search table and the triggers that it would be made with for them.
  package func description(of name: String) -> EntityDescription? {
    guard let table = self[name] else { return nil }
    if table.isView {
      let attributes = zip(table.attributeNames, table.readableColumns).map { name, column in
        Attribute(name, column.attributeType, column: column.name, optional: true)
      }
      return EntityDescription(
        table.name, source: .view(definition: nil),
        key: .assigned(table.statedKey.isEmpty ? attributes.map(\.name) : table.statedKey.map(table.attributeName)), attributes: attributes,
        relationships: relationships(of: table, besides: attributes.map(\.name)))
    }
    let columns = table.readableColumns
    let searchable = searchable(in: table)
    let names = table.attributeNames
    var attributes = zip(names, columns).map { name, column in
      attribute(name, column, in: table, isSearchable: searchable.contains { $0.isSpelled(as: column.name) })
    }
    let key: EntityDescription.Key
    if let generated = table.integerPrimaryKey {
      key = .generated(table.attributeName(of: generated))
    } else if let rowID = table.implicitRowID {
      attributes.insert(Attribute(rowID, .integer), at: 0)
      key = .generated(rowID)
    } else {
      let written = attributes.filter { !$0.isGenerated }.map(\.name)
      key = .assigned(table.primaryKey.isEmpty ? written : table.primaryKey.map(table.attributeName))
    }
    return EntityDescription(
      table.name, key: key, attributes: attributes, indexes: indexes(of: table, over: columns),
      relationships: relationships(of: table, besides: attributes.map(\.name)), mayHaveNullKeys: true)
  }

  /// One index for each list of columns; a unique one says more than another.
  private func indexes(of table: Table, over columns: [Column]) -> [DAOCriteria.Index] {
    let usable = table.indexes.filter { index in
      index.isPlain && index.origin != .primaryKey
        && index.columns.allSatisfy { name in columns.contains { SchemaName.same($0.name, name) } }
    }
    let found = usable.filter(\.isUnique) + usable.filter { !$0.isUnique }
    return found.enumerated().compactMap { position, index in
      let isRepeated = found[..<position].contains { SchemaName.same($0.columns, index.columns) }
      return isRepeated
        ? nil
        : DAOCriteria.Index(
          on: index.columns.map(table.attributeName), descending: index.descending.map(table.attributeName), unique: index.isUnique)
    }
  }

  private func attribute(_ name: String, _ column: Column, in table: Table, isSearchable: Bool) -> Attribute {
    let type = column.attributeType
    let value = column.defaultValue.flatMap { try? type.scalar($0) }
    // Those that fill themselves, and those of a table that is nothing but its key, are never null.
    let isKey = column.primaryKeyPosition > 0 && (table.integerPrimaryKey != nil || table.isWithoutRowID)
    let isPartOfRow = table.primaryKey.isEmpty && table.implicitRowID == nil && !column.isGenerated
    let isOptional = !column.isNotNull && !isKey && !isPartOfRow
    return Attribute(
      name, type, column: column.name, optional: isOptional, default: value?.isNull == true ? nil : value,
      references: reference(column.name, isOptional: isOptional, in: table),
      searchable: isSearchable, generated: column.isGenerated)
  }

  /// The columns of the search table, where it and its triggers are what an entity would have.
  private func searchable(in table: Table) -> [String] {
    guard let search = table.search, search.isComplete else { return [] }
    let columns = table.columns.filter { column in search.columns.contains { SchemaName.same($0, column.name) } }
    return columns.allSatisfy { AttributeType(declaredName: $0.declaredType) == .text && !$0.isGenerated } ? columns.map(\.name) : []
  }

  /// Only a foreign key of one column is an attribute's own.
  private func reference(_ column: String, isOptional: Bool, in table: Table) -> DAOCriteria.ForeignKey? {
    guard let key = table.foreignKeys.first(where: { !$0.isStated && SchemaName.same($0.columns, [column]) }),
      let target = key.targetColumns.first ?? self[key.table]?.primaryKey.first
    else { return nil }
    let rule = DeleteRule(rawValue: SchemaName.capitals(key.onDelete))
    // SET DEFAULT has no rule of its own: the store decides on the rows, and the entity takes it for a delete that may be denied. The same
    // holds for a delete that would put null into a column that is NOT NULL.
    return DAOCriteria.ForeignKey(table: key.table, column: target, onDelete: rule == .nullify && !isOptional ? .deny : rule ?? .deny)
  }
}

extension StoreSchema.Column {
  /// Whether it can be an attribute: it is no generated column that can't be computed here, and has a name.
  package var isReadable: Bool { problem == nil && !name.isEmpty }

  /// The collations that every connection has (sqlite.org/datatype3.html, section 7); others are an app's own.
  package static let collationsOfSQLite: Set<String> = ["BINARY", "NOCASE", "RTRIM"]

  /// The type that the declared type's name stands for; of texts that have a collation, with it.
  package var attributeType: AttributeType {
    if let statedType { return statedType }
    let type = AttributeType(declaredName: declaredType)
    // A name in quotes may say a collation that the column has not.
    guard type == .text || type.isCollated else { return type }
    return AttributeType.TextStorage(collation: collation).map { .storedText($0) } ?? .text
  }

  /// Whether the column and one that it points to, or is pointed to by, compare their values alike, and as criteria do. A connection need
  /// not know the collations of an app's own.
  package func isCompared(as other: Self) -> Bool {
    guard collation == other.collation else { return false }
    return collation == "BINARY" || attributeType.isCollated && other.attributeType.isCollated
  }
}

extension StoreSchema.Table {
  /// The columns that can be attributes.
  package var readableColumns: [StoreSchema.Column] { columns.filter(\.isReadable) }

  /// Returns the attribute names of the columns that can be read: the column names, unless Swift finds one equal to an earlier one.
  fileprivate var attributeNames: [String] {
    let columns = readableColumns
    let own = Set(columns.map(\.name))
    var (names, taken): ([String], Set<String>) = ([], [])
    for column in columns {
      var (name, number) = (column.name, 1)
      while taken.contains(name) || number > 1 && own.contains(name) {
        number += 1
        name = "\(column.name)_\(number)"
      }
      taken.insert(name)
      names.append(name)
    }
    return names
  }

  /// Returns the attribute name of a column.
  func attributeName(of column: String) -> String {
    readableColumns.firstIndex { SchemaName.same($0.name, column) }.map { attributeNames[$0] } ?? column
  }
}
