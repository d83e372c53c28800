import DAOCriteria
import DAOSchema

// Tables and columns that an older store has under other names.
extension MigrationPlanner {
  mutating func planTableName(of entity: EntityDescription) {
    guard let former = formerTable(of: entity) else { return }
    let holder = holder(of: former)
    add(entity, .renameTable(from: former.name))
    schema = schema.renaming(table: former.name, to: entity.table)
    if let holder { planTableName(of: holder) }
  }

  /// The table that is the entity's under another name: one that nobody has. Else one whose holder had another before (`a` and `b` became
  /// `b` and `c`); else one whose holder is new (`a` became `b`, and there is another `a` since), or had one that something new has. The
  /// store is older than that, or it would have a table of the entity's name.
  /// - Parameter strictly: whether nothing is to be new.
  private func formerTable(of entity: EntityDescription, besides seen: [String] = [], strictly: Bool = false) -> StoreSchema.Table? {
    let former = entity.renamedFrom.compactMap { schema[$0] }.filter {
      !$0.isView && !isDropped($0) && !hasItsName($0) && !seen.contains($0.name)
    }
    if let free = former.first(where: { holder(of: $0) == nil }) { return free }
    if isNew(entity) { return nil }
    func hadAnother(_ table: StoreSchema.Table, strictly: Bool) -> Bool {
      holder(of: table).map { formerTable(of: $0, besides: seen + [table.name], strictly: strictly) != nil } ?? false
    }
    if let chained = former.first(where: { hadAnother($0, strictly: true) }) { return chained }
    if strictly { return nil }
    return former.first { table in hadAnother(table, strictly: false) || holder(of: table).map { isNew($0, as: table) } == true }
  }

  /// Whether a step of this plan has given a table its name.
  func hasItsName(_ table: StoreSchema.Table) -> Bool {
    steps.contains { step in if case .renameTable = step.change { SchemaName.same(step.table, table.name) } else { false } }
  }

  /// Whether an entity is new: by a hint, or since it has its table by its own name and no table of a former one. An entity whose table is
  /// named explicitly may be an older entity.
  func isNew(_ entity: EntityDescription, as table: StoreSchema.Table) -> Bool {
    (SchemaName.same(entity.name, table.name) || isNew(entity))
      && !entity.renamedFrom.contains { schema[$0].map { !hasItsName($0) } ?? false }
  }

  func isNew(_ entity: EntityDescription) -> Bool {
    migration.has { if case .create(entity.name) = $0 { true } else { false } }
  }

  func holder(of table: StoreSchema.Table) -> EntityDescription? { entities.first { SchemaName.same($0.table, table.name) } }

  mutating func planColumnNames(of entity: EntityDescription) {
    guard let table = schema[entity.table], !table.isView else { return }
    for attribute in entity.attributes where schema[entity.table]?[attribute.column] == nil { planColumnName(of: attribute, entity) }
  }

  private mutating func planColumnName(of attribute: Attribute, _ entity: EntityDescription) {
    guard let former = formerColumn(of: attribute, entity) else { return }
    let holder = holder(of: former, entity)
    add(entity, .renameColumn(from: former.name, to: attribute.column))
    schema = schema.renaming(column: former.name, of: entity.table, to: attribute.column)
    if let holder { planColumnName(of: holder, entity) }
  }

  /// The column that is the attribute's under another name, as ``formerTable(of:besides:strictly:)``.
  private func formerColumn(
    of attribute: Attribute, _ entity: EntityDescription, besides seen: [String] = [], strictly: Bool = false
  ) -> StoreSchema.Column? {
    let former = attribute.renamedFrom.compactMap { schema[entity.table]?[$0] }.filter {
      !isKept($0, of: entity) && !isDropped($0, of: entity) && !hasItsName($0, of: entity) && !seen.contains($0.name)
    }
    if let free = former.first(where: { holder(of: $0, entity) == nil }) { return free }
    if isNew(attribute, of: entity) { return nil }
    func hadAnother(_ column: StoreSchema.Column, strictly: Bool) -> Bool {
      holder(of: column, entity).map { formerColumn(of: $0, entity, besides: seen + [column.name], strictly: strictly) != nil } ?? false
    }
    if let chained = former.first(where: { hadAnother($0, strictly: true) }) { return chained }
    if strictly { return nil }
    return former.first { column in
      hadAnother(column, strictly: false) || holder(of: column, entity).map { isNew($0, as: column, of: entity) } == true
    }
  }

  func hasItsName(_ column: StoreSchema.Column, of entity: EntityDescription) -> Bool {
    steps.contains { step in
      if case .renameColumn(_, column.name) = step.change { SchemaName.same(step.table, entity.table) } else { false }
    }
  }

  func isNew(_ attribute: Attribute, as column: StoreSchema.Column, of entity: EntityDescription) -> Bool {
    (SchemaName.same(attribute.name, column.name) || isNew(attribute, of: entity)) && !entity.key.attributes.contains(attribute.name)
      && !attribute.renamedFrom.contains { schema[entity.table]?[$0].map { !hasItsName($0, of: entity) } ?? false }
  }

  func isNew(_ attribute: Attribute, of entity: EntityDescription) -> Bool {
    migration.has { if case .add(entity.name, attribute.name) = $0 { true } else { false } }
  }

  /// The attribute, of any entity over the table, that has the column.
  func holder(of column: StoreSchema.Column, _ entity: EntityDescription) -> Attribute? {
    entities.lazy.filter { SchemaName.same($0.table, entity.table) }.compactMap { $0.attribute(in: column.name) }.first
  }
}
