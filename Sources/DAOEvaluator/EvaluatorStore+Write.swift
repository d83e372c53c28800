import DAOCriteria
import DAOSchema

extension EvaluatorStore {
  /// Adds entities, all or none.
  public func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    return try writing { data in
      try numbered(entities) { entity in
        try EvaluatorStatement.run(on: target.entity, data, target.entity.keyedWrite(of: entity)) {
          try $0.insert(entity, target.entity.storedValues(of: entity))
        }
      }
    }
  }

  /// Writes every attribute of existing entities, all or none.
  public func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    try target.entity.checkRaising(entities)
    return try writing { data in
      let visible = try VisibleRows(target, of: data)
      return try numbered(entities) { entity in
        try EvaluatorStatement.run(on: target.entity, data, target.entity.keyedWrite(of: entity)) { statement in
          let row = try target.entity.storedValues(of: entity)
          guard let place = try visible.place(of: target.entity.key(of: row)) else {
            throw DAOError.notFound(entity: target.entity.name, key: entity.primaryKey.map { "\($0)" } ?? "nil")
          }
          try statement.refuseConflict(row, at: place)
          try statement.update(target.entity.raisingVersion(statement.keepingSpelling(row, at: place)), at: place)
          var updated = entity
          if target.entity.versionPosition != nil { updated.raiseVersion() }
          return updated
        }
      }
    }
  }

  /// Adds entities or updates the rows that they meet, all or none.
  public func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    try target.entity.checkRaising(entities)
    return try writing { data in
      _ = try target.checked(rule, within: .sqlite)
      let visible = try VisibleRows(target, of: data)
      return try numbered(entities) { entity in
        try EvaluatorStatement.run(on: target.entity, data, target.entity.keyedWrite(of: entity, rule)) {
          try $0.upsert(entity, rule, visible)
        }
      }
    }
  }

  /// Compares an entity's version with that of the visible row that has its key.
  public func checkVersion<E: Entity>(of entity: E, in target: EntityTarget) throws -> Bool {
    try reading { data in
      guard let key = entity.primaryKey, let theirs = try VisibleRows(target, of: data).row(key) else { return false }
      let mine = try target.entity.storedValues(of: entity)
      if let conflict = target.entity.conflict(mine: mine, theirs: theirs, deletes: true) { throw conflict }
      return true
    }
  }

  /// Deletes the visible rows with these keys.
  public func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int {
    if keys.isEmpty { return 0 }
    try refuseReadOnly(target)
    return try writing { data in
      let visible = try VisibleRows(target, of: data)
      return try numbered(keys) { key in
        try EvaluatorStatement.run(on: target.entity, data, target.entity.deletion(of: key)) { statement in
          guard let place = try visible.place(of: target.entity.stored(key)) else { return false }
          return try statement.delete(at: place)
        }
      }.count { $0 }
    }
  }

  /// Changes attributes of every row that a query finds. The new values are those of the rows before any of them changed.
  public func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Criteria.Change]) throws -> Int {
    try refuseReadOnly(target)
    return try writing { data in
      let query = try data.query(.update(changes), criteria, in: target)
      let assignments = try changes.map { change -> (column: Int, value: Evaluator.Value) in
        guard case .field(let path) = change.target, let column = target.entity.position(of: path.description) else {
          throw DAOError.unsupported("the evaluator can't set \(change.target.projectedName)")
        }
        return (column, try query.evaluator.value(change.value, as: target.entity.types[column]))
      }
      return try EvaluatorStatement.run(on: target.entity, data, KeyedWrite(.update(changes), of: target.entity)) { statement in
        let table = try data.table(of: target.entity)
        // Unique values are checked row by row: the order matters.
        let changed = try table.byRowKey(query.places()).map { place -> (place: Int, row: StoredRow) in
          let before = table.rows.places[place] ?? []
          var row = before
          for (column, value) in assignments { row[column] = target.entity.types[column].kept(try value(.row(place))) }
          return (place, target.entity.raisingVersion(row))
        }
        for (place, row) in changed { try statement.update(row, at: place) }
        return changed.count
      }
    }
  }

  /// Deletes every row that a query finds.
  public func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try refuseReadOnly(target)
    return try writing { data in
      let query = try data.query(.delete, criteria, in: target)
      let write = KeyedWrite.deletions { try data.pointsToDeleted($0, query.places(), of: target.entity) }
      return try EvaluatorStatement.run(on: target.entity, data, write) { statement in
        // A row that is deleted with an earlier one does not count: the order matters.
        try data.table(of: target.entity).byRowKey(query.places()).count { try statement.delete(at: $0) }
      }
    }
  }

  private func refuseReadOnly(_ target: EntityTarget) throws {
    if target.entity.isReadOnly { throw DAOError.readOnly(entity: target.entity.name, reason: "its rows come from a view") }
  }

  /// Runs a body for each item; errors give the index of the item, where there are several.
  private func numbered<Item, Result>(_ items: [Item], _ body: (Item) throws -> Result) throws -> [Result] {
    try items.indices.map { index in
      do { return try body(items[index]) } catch let error as DAOError { throw error.about(index, of: items.count) }
    }
  }
}

extension EvaluatorStatement {
  /// Adds an entity and returns it with its key.
  fileprivate mutating func insert<E: Entity>(_ new: E, _ row: StoredRow) throws -> E {
    var inserted = new
    if let key = try insert(row), entity.hasGeneratedKey { inserted.setGeneratedKey(key) }
    return inserted
  }

  /// The place of the row that has the values of another in some columns, written as they are, or read as the same dates.
  private func place(of row: StoredRow, in columns: [Int]) -> Int? {
    if let place = table.places(where: columns, are: columns.map { row[$0] }).first { return place }
    guard columns.contains(where: { entity.types[$0].isReadFromSeveral }), !columns.contains(where: { row[$0].isNull }) else { return nil }
    return table.rows.places.indices.first { place in
      guard let other = table.rows.places[place] else { return false }
      return columns.allSatisfy { column in
        let type = entity.types[column]
        return type.isReadFromSeveral ? type.areRead(other[column], as: row[column]) : other[column].compare(row[column], as: .any) == 0
      }
    }
  }

  /// A row as it is written over the one in a place, whose key stays as it is spelled.
  fileprivate func keepingSpelling(_ row: StoredRow, at place: Int) -> StoredRow {
    guard let before = table.rows.places[place] else { return row }
    var after = entity.keepingSpelling(row, over: before)
    for column in entity.key.attributes.compactMap(entity.position(of:)) { after[column] = before[column] }
    return after
  }

  /// Adds an entity, or updates the row that its target meets. A null in the target meets none.
  fileprivate mutating func upsert<E: Entity>(_ new: E, _ rule: UpsertRule, _ visible: VisibleRows) throws -> Upserted<E> {
    let row = try entity.storedValues(of: new)
    let names = rule.target ?? entity.key.attributes
    let columns = names.compactMap { entity.position(of: $0) }
    guard table.uniques.contains(where: { $0.columns.sorted() == columns.sorted() }) else {
      throw DAOError.noUniqueIndex(of: entity, over: names)
    }
    try checkRequired(row)
    guard let place = place(of: row, in: columns), let before = table.rows.places[place] else {
      return Upserted(try insert(new, row), .inserted)
    }
    guard try visible.contains(place) else {
      throw DAOError.constraint(
        .unique, entity: entity.name, attributes: names, message: "a row that is not visible here has these values")
    }
    let fixed = names + entity.key.attributes + (entity.versionAttribute.map { [$0.name] } ?? [])
    var after = before
    for name in rule.updating ?? entity.attributes.map(\.name).filter({ !fixed.contains($0) }) {
      if let column = entity.position(of: name) { after[column] = row[column] }
    }
    after = entity.keepingSpelling(after, over: before)
    for column in columns where entity.types[column].isReadFromSeveral { after[column] = before[column] }
    // As SQL compares them: in a column without a type 1 is 1.0.
    let isSame = zip(after, before).allSatisfy { $0.compare($1, as: .any) == 0 }
    // What updates nothing overwrites nothing.
    if rule.updating?.isEmpty != true { try refuseConflict(row, at: place) }
    if isSame { return Upserted(try entity.read(after), .unchanged) }
    after = entity.raisingVersion(after)
    try update(after, at: place)
    return Upserted(try entity.read(after), .updated)
  }
}

extension EntityDescription {
  /// A row with the version after its own. Another value than an integer counts as its whole part, or as 0, as SQLite casts it.
  fileprivate func raisingVersion(_ row: StoredRow) -> StoredRow {
    guard let versionPosition else { return row }
    let version: Int64 =
      switch row[versionPosition] {
      case .integer(let version): version
      case .real(let version): Int64(exactly: version.rounded(.towardZero)) ?? (version < 0 ? .min : .max)
      default: 0
      }
    var raised = row
    raised[versionPosition] = .integer(version.nextVersion)
    return raised
  }
}

extension EvaluatorStatement {
  /// Throws the conflict of a row that has another version in the store.
  fileprivate func refuseConflict(_ mine: StoredRow, at place: Int) throws {
    if let theirs = table.rows.places[place], let conflict = entity.conflict(mine: mine, theirs: theirs) { throw conflict }
  }
}

extension AttributeType {
  /// A value as a column keeps it: an integer that goes into one of doubles becomes a double.
  fileprivate func kept(_ value: StoredValue) -> StoredValue {
    if self == .real, case .integer(let integer) = value { .real(Double(integer)) } else { value }
  }
}
