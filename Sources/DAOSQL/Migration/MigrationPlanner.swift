import DAOCriteria
import DAOSchema

/// Makes a migration's plan: the differences of a store's schema from the entities, as steps; and those that need a hint, as problems.
///
/// It reads the schema only. The existing rows are checked before the first step runs.
package struct MigrationPlanner {
  let entities: [EntityDescription]
  let migration: Migration
  /// Those that were taken before.
  private let taken: [Migration.Step]
  // As it is after the steps so far.
  var schema: StoreSchema
  private(set) package var steps: [Migration.Step] = []
  private(set) package var problems: [DAOError.MigrationProblem] = []

  /// Plans.
  /// - Parameters:
  ///   - schema: the store's, all of it: a table that no entity has may be one that was renamed.
  ///   - entities: the entities that it has to match.
  ///   - taken: the steps of the migration that were taken before.
  package init(of schema: StoreSchema, to entities: [EntityDescription], _ migration: Migration, after taken: [Migration.Step] = []) {
    self.entities = entities
    self.migration = migration
    self.taken = taken
    self.schema = schema
    problems = migration.problems(entities) + migration.questions(about: entities)
    // All tables first: columns are looked up by the tables' names.
    for entity in entities where !entity.isReadOnly && schema[entity.table] == nil { planTableName(of: entity) }
    for entity in entities where !entity.isReadOnly { planColumnNames(of: entity) }
    for entity in entities where !entity.isReadOnly { planTable(of: entity) }
    for entity in entities where entity.isReadOnly { planView(of: entity) }
    planDrops()
  }

  mutating func add(_ entity: EntityDescription, _ change: Migration.Step.Change) {
    let step = Migration.Step(entity.name, table: entity.table, change)
    // Entities that share a table ask for the same.
    if !steps.contains(where: { SchemaName.same($0.table, step.table) && $0.change == change }) { steps.append(step) }
  }

  private mutating func fail(_ entity: EntityDescription, _ element: String, _ message: String, hints: [String] = []) {
    problems.append(DAOError.MigrationProblem(entity: entity.name, element: element, message: message, hints: hints))
  }

  private mutating func needsScript(_ entity: EntityDescription, _ element: String, _ message: String) {
    fail(entity, element, message, hints: ["steps: [.before(version, \"…\") { store in … }]"])
  }

  // MARK: Tables

  private mutating func planTable(of entity: EntityDescription) {
    let differences = SchemaComparison.differences(of: schema, from: entity)
    let stepCount = steps.count
    for difference in differences { plan(difference, of: entity) }
    planConversions(of: entity)
    for case .drop(entity.name, let column) in migration.hints.map(\.kind) {
      if let found = schema[entity.table]?[column] { planDrop(of: found, entity) }
    }
    let isRemade = steps[stepCount...].contains(where: \.needsRebuild)
    planSearch(of: entity, isRemade: isRemade, differences)
  }

  /// Plans the conversions of hints to a type that is stored alike, which is no schema difference by itself.
  private mutating func planConversions(of entity: EntityDescription) {
    for case .convert(entity.name, let name, _) in migration.hints.map(\.kind) {
      guard let attribute = entity[name], !attribute.isGenerated, let table = schema[entity.table], let column = table[attribute.column],
        attribute.type.fits(declared: column.declaredType),
        migration.convertsValues(of: column, in: table, to: attribute, of: entity)
      else { continue }
      add(entity, .changeType(column.name, from: column.declaredType, to: attribute.type.declaredName))
    }
  }

  private mutating func plan(_ difference: EntityDifference, of entity: EntityDescription) {
    if let attribute = difference.generatedAttribute {
      let found = difference.described(of: entity, in: schema).found
      return needsScript(
        entity, attribute.name, "the attribute is generated, by an expression that the entity does not have, and the store has \(found)")
    }
    switch difference {
    case .noTable: planNewTable(of: entity)
    case .isView: needsScript(entity, "", "a view has the name of the entity's table, \(entity.table)")
    case .noColumn(let attribute): planNewColumn(attribute, of: entity)
    case .type(let attribute, let column):
      add(entity, .changeType(column.name, from: column.declaredType, to: attribute.type.declaredName))
    case .collation(let attribute, let column):
      add(entity, .changeCollation(attribute.column, from: column.collation, to: attribute.type.collation))
    case .generated(let attribute): add(entity, .makeWritable(attribute.column))
    // Above; or as the ordinary column that it becomes.
    case .notGenerated, .unreadable: break
    case .nullability(let attribute): add(entity, .changeNullability(attribute.column, isNotNull: !attribute.isOptional))
    case .defaultValue(let attribute, let expected, _): add(entity, .changeDefault(attribute.column, to: expected))
    case .unnamedColumn(let column):
      if !isDropped(column, of: entity) {
        fail(
          entity, column.name, "no attribute has the column, and no row can be inserted without it: it is NOT NULL and has no default",
          hints: [".drop(\"\(entity.name)\", \"\(column.name)\")", "renamedFrom: [\"\(column.name)\"] on the attribute that it is now"])
      }
    case .key(let found):
      needsScript(
        entity, entity.key.attributes.joined(separator: ", "),
        "the key is another one: the store's is \(found.isEmpty ? "the row id" : found.joined(separator: ", "))")
    case .keyIsNotGenerated:
      needsScript(entity, entity.key.attributes.joined(separator: ", "), "the key is generated now, and the store's is not")
    case .index(let index): add(entity, .createIndex(index.attributes.compactMap { entity[$0]?.column }, isUnique: index.isUnique))
    case .foreignKey(let key, _): add(entity, .addForeignKey(key.attributes.map(\.column), to: key.table))
    case .relationships(let problem): fail(entity, "", problem)
    // Planned when all else is known.
    case .search, .searchIsBehind: break
    case .unreadableView(let problem): fail(entity, "", "the view can't be read: \(problem)")
    }
  }

  private mutating func planNewTable(of entity: EntityDescription) {
    if let attribute = entity.attributes.first(where: \.isGenerated) {
      return needsScript(
        entity, "",
        "the store has no table \(entity.table), which can't be made: the entity does not have the expression of "
          + "\(attribute.name), which is generated")
    }
    if let (former, holder) = contested(by: entity) {
      return fail(
        entity, "",
        "the store has no table \(entity.table), and its former table \(former) is that of \(holder.name): "
          + "either \(entity.name) is new, or \(holder.name)",
        hints: [".create(\"\(entity.name)\")", ".create(\"\(holder.name)\")"])
    }
    let similar = isNew(entity) ? nil : schema.tables.first { isLeftOver($0) && $0.resembles(entity) }
    guard let similar else { return add(entity, .createTable) }
    fail(
      entity, "", "the store has no table \(entity.table), and a table \(similar.name) that no entity has; they have the same columns",
      hints: [
        "renamedFrom: [\"\(similar.name)\"] on the entity", ".create(\"\(entity.name)\")", ".dropTable(\"\(similar.name)\")",
      ])
  }

  /// A former table that another entity was given by name.
  private func contested(by entity: EntityDescription) -> (former: String, holder: EntityDescription)? {
    if isNew(entity) { return nil }
    return entity.renamedFrom.lazy.compactMap { schema[$0] }.filter { !$0.isView && !hasItsName($0) }.compactMap { table in
      holder(of: table).flatMap { SchemaName.same($0.name, table.name) ? nil : (table.name, $0) }
    }.first
  }

  private func isLeftOver(_ table: StoreSchema.Table) -> Bool {
    !table.isView && holder(of: table) == nil && !isDropped(table)
  }

  func isDropped(_ table: StoreSchema.Table) -> Bool {
    migration.has { if case .dropTable(let name) = $0 { SchemaName.same(name, table.name) } else { false } }
  }

  private mutating func planNewColumn(_ attribute: Attribute, of entity: EntityDescription) {
    if let (former, holder) = contested(by: attribute, of: entity) {
      return fail(
        entity, attribute.name,
        "the store has no column \(attribute.column), and its former column \(former) is that of \(holder.name): "
          + "either \(attribute.name) is new, or \(holder.name)",
        hints: [".add(\"\(entity.name)\", \"\(attribute.name)\")", ".add(\"\(entity.name)\", \"\(holder.name)\")"])
    }
    let former = isNew(attribute, of: entity) ? [] : schema[entity.table]?.columns.filter { isLeftOver($0, attribute, entity) } ?? []
    if former.isEmpty { return add(entity, .addColumn(attribute.column)) }
    let names = former.map(\.name)
    fail(
      entity, attribute.name,
      "the store has no column \(attribute.column), and no attribute has \(names.joined(separator: ", ")), which it may have been before",
      hints: names.map { "renamedFrom: [\"\($0)\"] on the attribute" } + [".add(\"\(entity.name)\", \"\(attribute.name)\")"]
        + names.map { ".drop(\"\(entity.name)\", \"\($0)\")" } + names.map { ".keep(\"\(entity.name)\", \"\($0)\")" })
  }

  /// A former column that another attribute was given by name.
  private func contested(by attribute: Attribute, of entity: EntityDescription) -> (former: String, holder: Attribute)? {
    if isNew(attribute, of: entity) { return nil }
    return attribute.renamedFrom.lazy.compactMap { schema[entity.table]?[$0] }.filter {
      !isKept($0, of: entity) && !hasItsName($0, of: entity)
    }.compactMap { column in
      entity.attribute(in: column.name).flatMap { holder in
        SchemaName.same(holder.name, column.name) || entity.key.attributes.contains(holder.name) ? nil : (column.name, holder)
      }
    }.first
  }

  /// Whether a column that no attribute has may be one that was renamed.
  private func isLeftOver(_ column: StoreSchema.Column, _ attribute: Attribute, _ entity: EntityDescription) -> Bool {
    !isKept(column, of: entity) && !isDropped(column, of: entity) && holder(of: column, entity) == nil && !column.isGenerated
      && attribute.type.fits(declared: column.declaredType)
  }

  func isKept(_ column: StoreSchema.Column, of entity: EntityDescription) -> Bool {
    migration.has { if case .keep(entity.name, let name) = $0 { SchemaName.same(name, column.name) } else { false } }
  }

  // MARK: Drops

  func isDropped(_ column: StoreSchema.Column, of entity: EntityDescription) -> Bool {
    migration.has { if case .drop(entity.name, let name) = $0 { SchemaName.same(name, column.name) } else { false } }
  }

  private mutating func planDrop(of column: StoreSchema.Column, _ entity: EntityDescription) {
    if column.primaryKeyPosition > 0 {
      return needsScript(entity, column.name, "a hint drops the column, which is a part of the table's key")
    }
    add(entity, .dropColumn(column.name))
  }

  private mutating func planDrops() {
    for hint in migration.hints {
      switch hint.kind {
      case .dropTable(let name):
        guard let table = schema[name], !table.isView, holder(of: table) == nil else { continue }
        steps.append(Migration.Step(table.name, table: table.name, .dropTable))
      case .dropIndex(let name):
        for table in schema.tables {
          guard let index = table.indexes.first(where: { SchemaName.same($0.name, name) }) else { continue }
          let entity = entities.first { SchemaName.same($0.table, table.name) }?.name ?? table.name
          if index.origin == .statement {
            steps.append(Migration.Step(entity, table: table.name, .dropIndex(index.name)))
          } else {
            problems.append(
              DAOError.MigrationProblem(
                entity: entity, element: index.columns.joined(separator: ", "),
                message: "a hint drops the index \(name), which is a rule of the table",
                hints: ["steps: [.before(version, \"…\") { store in … }]"]))
          }
        }
      default: break
      }
    }
  }

  // MARK: Search tables and views

  /// The index of words names its table and columns in its own text, which no ALTER TABLE changes: it is created again with its table.
  private mutating func planSearch(of entity: EntityDescription, isRemade: Bool, _ differences: [EntityDifference]) {
    guard let table = schema[entity.table] else { return }
    let expected = SearchSQL.statements(for: entity)
    let differs = differences.contains {
      switch $0 {
      case .search, .searchIsBehind: true
      default: false
      }
    }
    if let search = table.search, !search.isOwn {
      if differs {
        needsScript(entity, "search", "the store has a table \(entity.searchTable) of another form, which other tools may need")
      }
      return
    }
    // A renamed column has its new name in the triggers, whatever has the old one now.
    let isRenamed = steps.contains { step in
      guard case .renameColumn(let old, _) = step.change, SchemaName.same(step.table, entity.table) else { return false }
      return table.search?.columns.contains { SchemaName.same($0, old) } == true
    }
    if !expected.isEmpty, differs || isRemade || isRenamed {
      add(entity, .makeSearchTable(entity.searchableAttributes.map(\.column)))
    } else if table.search != nil,
      !entities.contains(where: { SchemaName.same($0.table, entity.table) && !$0.searchableAttributes.isEmpty })
    {
      add(entity, .dropSearchTable)
    }
  }

  private mutating func planView(of entity: EntityDescription) {
    let differences = SchemaComparison.differences(of: schema, from: entity)
    if differences.isEmpty, !showsWhatIsRenamed(entity) { return }
    guard case .view(_?) = entity.source else {
      // Of a view that others made, SQLite keeps the names.
      if differences.isEmpty { return }
      return fail(entity, "", "the view \(entity.table) is missing or lacks columns, and the entity has no definition to make it from")
    }
    if let table = schema[entity.table], !table.isView {
      return needsScript(entity, "", "a table has the name of the entity's view, \(entity.table)")
    }
    add(entity, .makeView)
  }

  /// Whether SQLite puts another name into a view's definition, which is then not the entity's any more.
  private func showsWhatIsRenamed(_ entity: EntityDescription) -> Bool {
    guard case .view(let definition?) = entity.source, schema[entity.table]?.isView == true else { return false }
    let names = SQLTokens.of(definition).map(\.name)
    return (taken + steps).contains { step in
      let renamed: [String]
      switch step.change {
      case .renameTable(let old): renamed = [old, step.table]
      case .renameColumn(let old, let new): renamed = [old, new]
      default: return false
      }
      return names.contains { name in renamed.contains { SchemaName.same($0, name) } }
    }
  }
}

extension StoreSchema.Table {
  /// Whether all columns of the one are columns of the other.
  fileprivate func resembles(_ entity: EntityDescription) -> Bool {
    entity.attributes.allSatisfy { self[$0.column] != nil }
      || columns.allSatisfy { column in entity.attributes.contains { SchemaName.same($0.column, column.name) } }
  }
}

extension StoreSchema.SearchTable {
  /// Whether it is of the form in which DAOKit makes search tables: some other's FTS5 table is not to be dropped.
  package var isOwn: Bool {
    statements.contains { $0.hasSuffix("tokenize='unicode61 remove_diacritics 2')") && $0.contains("content=") }
  }
}
