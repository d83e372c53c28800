import DAOCriteria
import DAOSchema

extension StoreSchema {
  /// Returns the schema as a person corrects it: descriptions have the stated types, keys and relationships.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` with each correction that the store does not allow.
  package func corrected(by corrections: SchemaCorrections) throws -> StoreSchema {
    if corrections == SchemaCorrections() { return self }
    var correction = SchemaCorrection(of: self)
    for (table, types) in corrections.types.sorted(by: { $0.key < $1.key }) { correction.state(types, of: table) }
    for (view, columns) in corrections.keys.sorted(by: { $0.key < $1.key }) { correction.state(key: columns, of: view) }
    for key in corrections.relationships { correction.state(key) }
    correction.checkForeignKeys()
    guard correction.differences.isEmpty else {
      throw DAOError.schemaMismatch(store: "as it is corrected", differences: correction.differences)
    }
    return StoreSchema(tables: correction.tables)
  }
}

/// The tables of a schema while corrections are made to them.
private struct SchemaCorrection {
  private(set) var tables: [StoreSchema.Table]
  private(set) var differences: [SchemaDifference] = []
  private let positions: [SchemaName: Int]

  init(of schema: StoreSchema) {
    tables = schema.tables
    positions = Dictionary(schema.tables.indices.map { (SchemaName(schema.tables[$0].name), $0) }, uniquingKeysWith: min)
  }

  mutating func state(_ types: [String: AttributeType], of name: String) {
    guard let table = position(of: name) else { return }
    for (column, type) in types.sorted(by: { $0.key < $1.key }) {
      guard let place = self.column(column, of: table) else { continue }
      let found = tables[table].columns[place]
      if let stated = found.statedType, stated != type {
        differences.append(twice(name, column, expected: "the type \(type.declaredName)", found: "the type \(stated.declaredName)"))
        continue
      }
      let attribute = Attribute(found.name, type, column: found.name, generated: found.isGenerated)
      let description = EntityDescription(name, key: .assigned([found.name]), attributes: [Attribute(found.name, type, column: found.name)])
      var wrong = description.problems.map {
        SchemaDifference(entity: name, element: column, expected: "the type \(type.declaredName)", found: "no such form: \($0)")
      }
      if wrong.isEmpty {
        let fits = attribute.fits(declared: found.declaredType, isOnlyRead: tables[table].isView)
        if !fits { wrong.append(EntityDifference.type(attribute, found).described(of: description, in: StoreSchema(tables: []))) }
        // SQLite says no collation of a view's column.
        if !tables[table].isView, !type.compares(by: found.collation) {
          wrong.append(EntityDifference.collation(attribute, found).described(of: description, in: StoreSchema(tables: [])))
        }
        if wrong.isEmpty, tables[table].isIntegerPrimaryKey(found), type != .integer {
          wrong.append(
            SchemaDifference(entity: name, element: column, expected: "the type \(type.declaredName)", found: "the row id, an integer"))
        }
      }
      differences += wrong
      if wrong.isEmpty { tables[table].columns[place].statedType = type }
    }
  }

  mutating func state(key columns: [String], of name: String) {
    guard let table = position(of: name) else { return }
    guard tables[table].isView else {
      let key = tables[table].primaryKey.joined(separator: ", ")
      let found = "a table, with \(key.isEmpty ? "its row id as the key" : "the key \(key)")"
      return differences.append(
        SchemaDifference(entity: name, element: "", expected: "a view with the key \(columns.joined(separator: ", "))", found: found))
    }
    let places = columns.compactMap { column($0, of: table) }
    guard places.count == columns.count else { return }
    guard !places.isEmpty, Set(places).count == places.count else {
      let found = "a view, of which no column, or one twice, is stated to be the key"
      return differences.append(SchemaDifference(entity: name, element: "", expected: "a key of different columns", found: found))
    }
    let key = places.map { tables[table].columns[$0].name }
    let stated = tables[table].statedKey
    guard stated.isEmpty || stated == key else {
      func described(_ key: [String]) -> String { "the key \(key.joined(separator: ", "))" }
      return differences.append(twice(name, "", expected: described(key), found: described(stated)))
    }
    tables[table].statedKey = key
  }

  /// What two spellings of one name state differently.
  private func twice(_ name: String, _ element: String, expected: String, found: String) -> SchemaDifference {
    SchemaDifference(
      entity: name, element: element, expected: expected, found: "\(found), stated of another spelling of the name",
      advice: "state it once")
  }

  mutating func state(_ key: StatedForeignKey) {
    guard let table = position(of: key.table), let target = position(of: key.target) else { return }
    let own = key.columns.compactMap { column($0, of: table) }
    var names = key.targetColumns
    if names.isEmpty { names = tables[target].isView ? tables[target].statedKey : tables[target].primaryKey }
    let others = names.compactMap { column($0, of: target) }
    guard own.count == key.columns.count, others.count == names.count else { return }
    guard own.count == others.count, !own.isEmpty else {
      let found = names.isEmpty ? "no key of \(key.target): name its columns" : "\(names.count): \(names.joined(separator: ", "))"
      return differences.append(
        SchemaDifference(
          entity: key.table, element: key.columns.joined(separator: ", "),
          expected: own.count == 1 ? "a column that points to \(key.target)" : "\(own.count) columns that point to \(key.target)",
          found: found))
    }
    let (here, there) = (own.map { tables[table].columns[$0] }, others.map { tables[target].columns[$0] })
    for (a, b) in zip(here, there) where !areAlike(a, b) {
      differences.append(
        SchemaDifference(
          entity: key.table, element: a.name, expected: "values like those of \(key.target).\(b.name), \(b.attributeType.declaredName)",
          found: a.attributeType.declaredName, advice: "only columns of one type and affinity are matched"))
    }
    // A key that the store declares as well needs no statement.
    let isDeclared = tables[table].foreignKeys.contains { found in
      SchemaName.same(found.table, key.target) && SchemaName.same(found.columns, here.map(\.name))
        && SchemaName.same(columns(of: found), there.map(\.name))
    }
    if isDeclared { return }
    tables[table].foreignKeys.append(
      StoreSchema.ForeignKey(
        columns: here.map(\.name), table: tables[target].name, targetColumns: there.map(\.name), isStated: true))
  }

  /// The columns that a foreign key leads to.
  private func columns(of key: StoreSchema.ForeignKey) -> [String] {
    key.targetColumns.isEmpty ? positions[SchemaName(key.table)].map { tables[$0].primaryKey } ?? [] : key.targetColumns
  }

  /// Compares the columns of the store's own foreign keys, of which one may have got another type than the other.
  mutating func checkForeignKeys() {
    for table in tables {
      for key in table.foreignKeys where !key.isStated {
        guard let target = positions[SchemaName(key.table)].map({ tables[$0] }) else { continue }
        for (here, there) in zip(key.columns, columns(of: key)) {
          guard let a = table[here], let b = target[there], a.statedType != nil || b.statedType != nil, !areAlike(a, b) else { continue }
          let found = "the foreign key to \(target.name).\(b.name), \(b.attributeType.declaredName)"
          differences.append(
            SchemaDifference(
              entity: table.name, element: a.name, expected: "the type \(a.attributeType.declaredName)", found: found,
              advice: "state one type for both"))
        }
      }
    }
  }

  /// Whether a relationship may match the values of two columns, and SQLite compares them as they are: see
  /// `EntityDescription.steps(of:)`.
  private func areAlike(_ a: StoreSchema.Column, _ b: StoreSchema.Column) -> Bool {
    let (first, second) = (a.attributeType, b.attributeType)
    guard a.isCompared(as: b) else { return false }
    if first != .any, second != .any { return first == second }
    // Beside a column of numbers a text that is one becomes a number.
    let (here, there) = (Affinity(declaredName: a.declaredType), Affinity(declaredName: b.declaredType))
    return !first.isCollated && !second.isCollated && (here == there || here.isNumeric && there.isNumeric)
  }

  private mutating func position(of table: String) -> Int? {
    guard let position = positions[SchemaName(table)] else {
      let nearest = Nearest.name(to: table, among: tables.map(\.name))
      differences.append(
        SchemaDifference(
          entity: table, element: "", expected: "the table or view \"\(table)\"", found: "none of this name",
          advice: nearest.map { "did you mean \($0)?" }))
      return nil
    }
    if let problem = tables[position].problem {
      differences.append(
        SchemaDifference(entity: table, element: "", expected: "a view that can be read", found: "one that can't: \(problem)"))
      return nil
    }
    return position
  }

  private mutating func column(_ name: String, of table: Int) -> Int? {
    if let place = tables[table].columns.firstIndex(where: { SchemaName.same($0.name, name) }) { return place }
    let nearest = Nearest.name(to: name, among: tables[table].columns.map(\.name))
    differences.append(
      SchemaDifference(
        entity: tables[table].name, element: name, expected: "the column \"\(name)\"", found: "no such column",
        advice: nearest.map { "did you mean \($0)?" }))
    return nil
  }
}
