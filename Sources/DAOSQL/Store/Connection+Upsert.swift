import DAOCriteria

extension Connection {
  /// Inserts entities, or updates the rows that their target meets, and says of each which.
  func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    let entity = target.entity
    guard rule == UpsertRule(), target.scope.isAlwaysTrue, entity.versionPosition == nil,
      !entity.keyTypes.contains(where: { $0.isReadFromSeveral || $0.isCollated }),
      try rules(of: entity.table) == TableRules()
    else {
      // Problems of the rule are reported before the store is queried.
      let entry = try namingIndex(rule, of: entity) { try self.entry(.upsert(rule), target) }
      try checkTypes(of: entity, entry.plan.reached)
      let rules = try rules(of: entity.table)
      var first = try lowestKey(for: entities, in: entity)?.key
      return try entities.indices.map { index in
        var row = entities[index]
        let isFirst = first != nil && row.primaryKey == nil
        if isFirst, let first { row.setGeneratedKey(first) }
        do {
          let upserted = try upsert(row, rule, rules, in: target)
          if isFirst, upserted.outcome == .inserted { first = nil }
          return upserted
        } catch let error as DAOError { throw error.about(index, of: entities.count) }
      }
    }
    // The row that is met has the entity's own key and takes all its values, and none is hidden: the statement's outcome says it all.
    var written = entities
    if let first = try lowestKey(for: written, in: entity) { written[first.index].setGeneratedKey(first.key) }
    let rows = try namingIndex(rule, of: entity) {
      try write(entities.count, .upsert(rule), for: .upsert(takesKeys: entity.hasGeneratedKey), in: target) {
        try E.writeAll(&written, to: &$0)
      } of: {
        entity.keyedWrite(of: entities[$0], rule)
      }
    }
    let outcomes = rows?.outcomes ?? []
    var upserted: [Upserted<E>] = []
    upserted.reserveCapacity(outcomes.count)
    // Not `zip` and `map`, which are slow where the type is not known at compile time.
    for index in outcomes.indices { upserted.append(Upserted(written[index], outcomes[index])) }
    return upserted
  }

  /// Runs a body, and says that no unique index is over a target where SQLite says so.
  private func namingIndex<Result>(_ rule: UpsertRule, of entity: EntityDescription, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch DAOError.engine(let failure) where failure.message.hasPrefix("ON CONFLICT clause") {
      throw DAOError.noUniqueIndex(of: entity, over: rule.target ?? entity.key.attributes)
    }
  }

  /// Inserts an entity, or updates the row that its target meets, and reports which.
  private func upsert<E: Entity>(
    _ entity: E, _ rule: UpsertRule, _ rules: TableRules, in target: EntityTarget
  ) throws -> Upserted<E> {
    let description = target.entity
    let entry = try entry(.upsert(rule), target)
    let types = description.types
    var values = ColumnWriter(collecting: types)
    do {
      try entity.write(to: &values)
      try values.endRow()
    } catch let problem as ColumnProblem { throw description.invalidValue(problem) }
    var stored = values.values
    let targetNames = rule.target ?? description.key.attributes
    let targetPositions = targetNames.map { description.position(of: $0) }
    var targetValues = targetPositions.map { position in position.map { stored[$0] } ?? .null }

    // Without row ids the engine can't distinguish an insert from an update, and the row is looked up first. The same holds where several
    // stored values are read as one: the index knows only the row's own.
    var wasThere = false
    if rules.hasNoRowID || targetNames.contains(where: { description[$0]?.type.isReadFromSeveral == true }),
      let kept = try storedTarget(targetNames, targetValues, in: description)
    {
      wasThere = true
      targetValues = kept
      for case (let position?, let value) in zip(targetPositions, kept) { stored[position] = value }
    }
    let ownKey = description.key.attributes.first.flatMap { description.position(of: $0) }.map { stored[$0] }
    let written: (outcome: UpsertOutcome, key: Int64)?
    do {
      written = try run(entry, in: description) { statement in
        var writer = ColumnWriter(statement: statement.handle, functions: statement.writeFunctions, types: [])
        for value in stored { try writer.putStored(value) }
        if writer.bindingFailure != 0 { throw StepFailure(code: writer.bindingFailure) }
        try statement.bindScope(target.scope, of: description, entry.plan, first: types.count + 1)
        return try statement.upsert(ownKey)
      }
    } catch { throw naming(error, .row(stored, setting: description.attributes(setBy: rule)), of: description) }
    let isWritten = written.map { $0.outcome != .unchanged } ?? false
    if isWritten, let written, rules.hasNoRowID ? !wasThere : written.outcome == .inserted {
      var inserted = entity
      if description.hasGeneratedKey { inserted.setGeneratedKey(written.key) }
      return Upserted(inserted, .inserted)
    }
    // The row met may be one that the DAO does not let be seen, or have another key than the entity. One that was updated was visible, even
    // if it no longer is.
    let met = isWritten ? EntityTarget(description) : target
    let key = try key(of: E.self, targetNames, targetValues, in: met)
    guard let key else {
      let hidden = "a row that is not visible here has these values"
      throw DAOError.constraint(
        .unique, entity: description.name, attributes: targetNames,
        message: rules.mayIgnoreRows ? "the store's rules ignored the row, or \(hidden)" : hidden)
    }
    // What updates nothing overwrites nothing.
    if !isWritten, rule.updating?.isEmpty != true, description.versionAttribute != nil,
      let conflict = try conflict(over: key, mine: stored, in: met)
    {
      throw conflict
    }
    var upserted = entity
    let isCollated = targetNames.contains { description[$0]?.type.isCollated == true }
    if rule.updating != nil || rule.target != nil && !description.hasGeneratedKey || isCollated {
      // The row keeps what was not updated, its key, which the entity can only take by being read, and the spelling of the target.
      upserted = try row(key, in: met) {
        try E(row: &$0)
      } orElse: {
        entity
      }
    } else if description.hasGeneratedKey {
      var generated = ColumnWriter(collecting: [.integer])
      try key.write(to: &generated)
      if case .integer(let value)? = generated.values.first { upserted.setGeneratedKey(value) }
      if isWritten, description.versionAttribute != nil { upserted.raiseVersion() }
    } else if isWritten, description.versionAttribute != nil {
      upserted.raiseVersion()
    }
    return Upserted(upserted, isWritten ? .updated : .unchanged)
  }

  /// The values of the row that has a target's, as they are stored; nil where there is none.
  private func storedTarget(_ names: [String], _ values: [StoredValue], in entity: EntityDescription) throws -> [StoredValue]? {
    let entry = try entry(.storedTarget(names), EntityTarget(entity))
    let found = try run(entry, in: entity) { statement -> [StoredValue]? in
      try statement.bind(values)
      var rows = statement.rows(entry.plan)
      return try rows.advance() ? try names.map { _ in try rows.row.takeStored() } : nil
    }
    return found ?? nil
  }

  private func key<E: Entity>(
    of type: E.Type, _ names: [String], _ values: [StoredValue], in target: EntityTarget
  ) throws -> E.PrimaryKey? {
    let entry = try entry(.keyByTarget(names), target)
    let key = try run(entry, in: target.entity) { statement -> E.PrimaryKey? in
      try statement.bind(values)
      try statement.bindScope(target.scope, of: target.entity, entry.plan, first: values.count + 1)
      var rows = statement.rows(entry.plan)
      return try rows.advance() ? try E.PrimaryKey(row: &rows.row) : nil
    }
    return key ?? nil
  }
}
