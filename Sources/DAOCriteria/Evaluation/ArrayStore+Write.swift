extension ArrayStore {
  /// Adds entities, all or none.
  public func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    try changing(target) { try entities.map { try insert($0, row: stored($0, target.entity), target.entity) } }
  }

  /// Writes every attribute of entities that are there, all or none.
  public func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws {
    try changing(target) {
      for entity in entities {
        let row = try stored(entity, target.entity)
        guard let position = try position(ofKey: target.entity.key(of: row), in: target) else {
          throw DAOError.notFound(entity: target.entity.name, key: "\(target.entity.key(of: row))")
        }
        try put(row, at: position, target.entity)
      }
    }
  }

  /// Adds entities or updates the rows that they meet, all or none.
  public func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    try changing(target) { try entities.map { try upsert($0, rule, in: target) } }
  }

  /// Deletes the visible rows with these keys.
  public func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int {
    try changing(target) {
      try keys.reduce(0) { count, key in
        guard let position = try position(of: key, in: target) else { return count }
        self[target.entity].remove(at: position)
        return count + 1
      }
    }
  }

  /// Changes attributes of every row that a criteria finds. The new values are those of the rows before any of them changed.
  public func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Change]) throws -> Int {
    try changing(target) {
      let query = query(target, criteria)
      let positions = try query.positions()
      var changed: [(Int, StoredRow)] = []
      for position in positions {
        var row = query.rows[position]
        for change in changes {
          guard case .field(let path) = change.target, let column = target.entity.position(of: path.description) else { continue }
          let value = try query.evaluator.value(change.value, as: target.entity.attributes[column].type, of: .row(query.rows[position]))
          row[column] = target.entity.attributes[column].type.kept(value)
        }
        changed.append((position, row))
      }
      for (position, row) in changed { try put(row, at: position, target.entity) }
      return positions.count
    }
  }

  /// Deletes every row that a criteria finds.
  public func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try changing(target) {
      let positions = Set(try query(target, criteria).positions())
      self[target.entity] = self[target.entity].enumerated().filter { !positions.contains($0.offset) }.map(\.element)
      return positions.count
    }
  }

  // MARK: One row

  private func changing<Result>(_ target: EntityTarget, _ body: () throws -> Result) throws -> Result {
    if target.entity.isReadOnly { throw DAOError.readOnly(entity: target.entity.name, reason: "its rows come from a view") }
    return try atomic(body)
  }

  private func stored<E: Entity>(_ entity: E, _ description: EntityDescription) throws -> StoredRow {
    var writer = ColumnWriter(collecting: description.attributes.map(\.type))
    do { try entity.write(to: &writer) } catch let problem as ColumnProblem {
      throw DAOError.invalidValue(
        entity: description.name, attribute: description.attributes[problem.column].name, problem: "\(problem.problem)")
    }
    return writer.values
  }

  private func insert<E: Entity>(_ entity: E, row: StoredRow, _ description: EntityDescription) throws -> E {
    var (inserted, row) = (entity, row)
    if case .generated(let name) = description.key, let column = description.position(of: name) {
      var key = self[description].reduce(Int64(0)) { if case .integer(let other) = $1[column] { max($0, other) } else { $0 } } + 1
      if case .integer(let given) = row[column] { key = given }
      row[column] = .integer(key)
      inserted.setGeneratedKey(key)
    }
    try check(row, at: nil, description)
    self[description].append(row)
    return inserted
  }

  private func put(_ row: StoredRow, at position: Int, _ description: EntityDescription) throws {
    try check(row, at: position, description)
    self[description][position] = row
  }

  /// A null in a target meets no row. A row that is met but not visible can't be written.
  private func upsert<E: Entity>(_ entity: E, _ rule: UpsertRule, in target: EntityTarget) throws -> Upserted<E> {
    let description = target.entity
    let row = try stored(entity, description)
    let names = rule.target ?? description.key.attributes
    let values = description.values(names, of: row)
    let met = values.contains(.null) ? nil : self[description].firstIndex { description.values(names, of: $0) == values }
    guard let met else { return Upserted(try insert(entity, row: row, description), .inserted) }

    let before = self[description][met]
    guard try query(target, Criteria()).positions().contains(met) else {
      throw DAOError.constraint(.unique, entity: description.name, attributes: names, message: "a row that is not visible has these values")
    }
    let fixed = Set(names + description.key.attributes)
    let updating = rule.updating ?? description.attributes.map(\.name).filter { !fixed.contains($0) }
    var after = before
    for name in updating { if let column = description.position(of: name) { after[column] = row[column] } }
    try put(after, at: met, description)
    var kept = RowReader(after, columns: RowColumns(description.types, of: description))
    return Upserted(try E(row: &kept), after == before ? .unchanged : .updated)
  }

  /// Required attributes, the key, and unique indexes, in which nulls are all different.
  private func check(_ row: StoredRow, at position: Int?, _ description: EntityDescription) throws {
    func broken(_ constraint: DAOError.Constraint, _ names: [String]) -> DAOError {
      .constraint(constraint, entity: description.name, attributes: names, message: "not kept by the array store")
    }
    for (attribute, value) in zip(description.attributes, row) where value.isNull && !attribute.isOptional {
      throw broken(.notNull, [attribute.name])
    }
    let unique =
      [(DAOError.Constraint.primaryKey, description.key.attributes)]
      + description.indexes.filter(\.isUnique).map { (.unique, $0.attributes) }
    for (constraint, names) in unique {
      let values = description.values(names, of: row)
      if values.contains(.null) { continue }
      for (other, row) in self[description].enumerated() where other != position && description.values(names, of: row) == values {
        throw broken(constraint, names)
      }
    }
  }
}

extension AttributeType {
  /// An integer that goes into a column of doubles becomes one.
  func kept(_ value: StoredValue) -> StoredValue {
    if self == .real, case .integer(let integer) = value { .real(Double(integer)) } else { value }
  }
}
