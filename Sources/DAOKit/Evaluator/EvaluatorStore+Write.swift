extension EvaluatorStore {
  /// Adds entities, all or none.
  public func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    try refuseReadOnly(target)
    return try writing { data in
      try numbered(entities) { entity in
        try EvaluatorStatement.run(on: target.entity, data) { statement in
          try entity.inserted(as: target.entity.row(of: entity), by: &statement, target.entity)
        }
      }
    }
  }

  /// Writes every attribute of entities that are there, all or none.
  public func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws {
    try refuseReadOnly(target)
    try writing { data in
      _ = try numbered(entities) { entity in
        try EvaluatorStatement.run(on: target.entity, data) { statement in
          let row = try target.entity.row(of: entity)
          guard let place = try data.place(of: target.entity.key(of: row), in: target) else {
            throw DAOError.notFound(entity: target.entity.name, key: entity.primaryKey.map { "\($0)" } ?? "nil")
          }
          try statement.update(row, at: place)
        }
      }
    }
  }

  /// Adds entities or updates the rows that they meet, all or none.
  public func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    try refuseReadOnly(target)
    return try writing { data in
      try target.check(.upsert(rule))
      return try numbered(entities) { entity in
        try EvaluatorStatement.run(on: target.entity, data) { try $0.upsert(entity, rule, in: target, data) }
      }
    }
  }

  /// Deletes the visible rows with these keys.
  public func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int {
    try refuseReadOnly(target)
    return try writing { data in
      try numbered(keys) { key in
        try EvaluatorStatement.run(on: target.entity, data) { statement in
          guard let place = try data.place(of: target.entity.stored(key), in: target) else { return false }
          return try statement.delete(at: place)
        }
      }.count { $0 }
    }
  }

  /// Changes attributes of every row that a criteria finds. The new values are those of the rows before any of them changed.
  public func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Change]) throws -> Int {
    try refuseReadOnly(target)
    return try writing { data in
      let query = try data.query(.update(changes), criteria, in: target)
      let assignments = try changes.map { change -> (column: Int, value: Evaluator.Value) in
        guard case .field(let path) = change.target, let column = target.entity.position(of: path.description) else {
          throw DAOError.unsupported("the evaluator can't set \(change.target.projectedName)")
        }
        return (column, try query.evaluator.value(change.value, as: target.entity.types[column]))
      }
      return try EvaluatorStatement.run(on: target.entity, data) { statement in
        let table = try data.table(of: target.entity)
        let changed = try query.places().map { place -> (place: Int, row: StoredRow) in
          let before = table.rows.places[place] ?? []
          var row = before
          for (column, value) in assignments { row[column] = target.entity.types[column].kept(try value(.row(before))) }
          return (place, row)
        }
        for (place, row) in changed { try statement.update(row, at: place) }
        return changed.count
      }
    }
  }

  /// Deletes every row that a criteria finds.
  public func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try refuseReadOnly(target)
    return try writing { data in
      let query = try data.query(.delete, criteria, in: target)
      return try EvaluatorStatement.run(on: target.entity, data) { statement in
        // A row that goes with an earlier one does not count, so their order tells.
        try data.table(of: target.entity).byRowKey(query.places()).count { try statement.delete(at: $0) }
      }
    }
  }

  private func refuseReadOnly(_ target: EntityTarget) throws {
    if target.entity.isReadOnly { throw DAOError.readOnly(entity: target.entity.name, reason: "its rows come from a view") }
  }

  /// What a body does for each; errors say which, where there are several.
  private func numbered<Item, Result>(_ items: [Item], _ body: (Item) throws -> Result) throws -> [Result] {
    try items.indices.map { index in
      do { return try body(items[index]) } catch let error as DAOError { throw error.about(index, of: items.count) }
    }
  }
}

extension Entity {
  /// The entity with the key that a row of it got.
  fileprivate func inserted(
    as row: StoredRow, by statement: inout EvaluatorStatement, _ description: EntityDescription
  ) throws -> Self {
    var inserted = self
    if let key = try statement.insert(row), description.hasGeneratedKey { inserted.setGeneratedKey(key) }
    return inserted
  }
}

extension EvaluatorStatement {
  /// Adds an entity, or updates the row that its target meets. A null in the target meets none.
  fileprivate mutating func upsert<E: Entity>(
    _ entity: E, _ rule: UpsertRule, in target: EntityTarget, _ data: EvaluatorData
  ) throws -> Upserted<E> {
    let description = target.entity
    let row = try description.row(of: entity)
    let names = rule.target ?? description.key.attributes
    let columns = names.compactMap { description.position(of: $0) }
    let table = try data.table(of: description)
    guard table.uniques.contains(where: { $0.columns.sorted() == columns.sorted() }) else {
      throw DAOError.engine(
        EngineFailure(code: 1, message: "ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint"))
    }
    try checkRequired(row)
    guard let place = table.rows.places(where: columns, are: columns.map { row[$0] }).first, let before = table.rows.places[place] else {
      return Upserted(try entity.inserted(as: row, by: &self, description), .inserted)
    }
    guard try data.isVisible(place, in: target) else {
      throw DAOError.constraint(
        .unique, entity: description.name, attributes: names, message: "a row that is not visible here has these values")
    }
    let fixed = names + description.key.attributes
    var after = before
    for name in rule.updating ?? description.attributes.map(\.name).filter({ !fixed.contains($0) }) {
      if let column = description.position(of: name) { after[column] = row[column] }
    }
    if after != before { try update(after, at: place) }
    return Upserted(try description.read(after), after == before ? .unchanged : .updated)
  }
}

extension EntityDescription {
  /// An entity in stored form.
  fileprivate func row(of entity: some Entity) throws -> StoredRow {
    var writer = ColumnWriter(collecting: types)
    do {
      try entity.write(to: &writer)
      try writer.endRow()
    } catch let problem as ColumnProblem { throw invalidValue(problem) }
    return zip(types, writer.values).map { $0.kept($1) }
  }

  /// A key in stored form.
  func stored(_ key: some EntityKey) throws -> StoredRow {
    var writer = ColumnWriter(collecting: keyTypes)
    do {
      try key.write(to: &writer)
      try writer.endRow()
    } catch let problem as ColumnProblem { throw invalidKey(problem) }
    return writer.values
  }

  fileprivate func key(of row: StoredRow) -> StoredRow { key.attributes.compactMap { position(of: $0).map { row[$0] } } }
}

extension AttributeType {
  /// A value as a column keeps it: an integer that goes into one of doubles becomes a double.
  fileprivate func kept(_ value: StoredValue) -> StoredValue {
    if self == .real, case .integer(let integer) = value { .real(Double(integer)) } else { value }
  }
}
