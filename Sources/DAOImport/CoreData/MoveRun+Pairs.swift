import DAOKit

// Pairs of rows.
extension MoveRun {
  /// A side of a pair.
  private enum End {
    case key([StoredValue])
    /// The row is not there, and nobody misses the pair.
    case dropped
    /// A problem says so.
    case refused
    /// Pairs of another mapping have the row.
    case ofOthers
    /// Another mapping, which has no such pairs, has the row.
    case leftOut(Int)
  }

  /// Stores the pairs of a table.
  func store(_ pairs: MovedPairs) throws {
    let columns = [pairs.by.column, pairs.to.column] + pairs.orders.map(\.column)
    let names = columns.map(\.asSQLName).joined(separator: ", ")
    var rows: [ImportedRow] = []
    var origins: [String] = []
    var leftOut: [Int: Int] = [:]
    try connection.each("SELECT \(names) FROM \(pairs.join.table.asSQLName) ORDER BY 1, 2") { row in
      report.records += 1
      let (one, other) = (try row.takeStored(), try row.takeStored())
      let origin = "\(one.shown)-\(other.shown)"
      let by = try end(one, pairs, isBy: true, origin)
      switch by {
      case .ofOthers: return
      case .leftOut(let number):
        leftOut[number, default: 0] += 1
        return
      default: break
      }
      let to = try end(other, pairs, isBy: false, origin)
      guard case .key(let byKey) = by, case .key(let toKey) = to else {
        switch (by, to) {
        case (.refused, _), (_, .refused), (_, .ofOthers): break
        default: countUnlinked(pairs.entity)
        }
        return
      }
      var values = pairs.defaults
      for (position, value) in zip(pairs.byPositions, byKey) { values[position] = value }
      for (position, value) in zip(pairs.toPositions, toKey) { values[position] = value }
      for order in pairs.orders {
        let attribute = pairs.entity.attributes[order.position]
        do {
          switch try row.takeStored() {
          case .integer(let place): values[order.position] = try attribute.type.stored(.integer(place))
          case .null where attribute.isOptional: values[order.position] = .null
          case let stored: throw ValueProblem("expects a position, but the row holds \(stored.shown)")
          }
        } catch let problem as ValueProblem { return try refuse(pairs, origin, attribute.name, "\(problem)") }
      }
      rows.append(ImportedRow(values, of: pairs.entity))
      origins.append(origin)
      if rows.count >= Self.chunk.rows {
        try insert(rows, origins, pairs)
        (rows, origins) = ([], [])
      }
    }
    try insert(rows, origins, pairs)
    for (number, count) in leftOut.sorted(by: { $0.key < $1.key }) where !excludes(pairs, number) {
      let line = "\(pairs.join.table) (\(count) \(count == 1 ? "pair" : "pairs") of \(plan.entities[number].source.name))"
      if !report.leftOut.contains(line) { report.leftOut.append(line) }
    }
  }

  /// The key of a row of a pair.
  private func end(_ value: StoredValue, _ pairs: MovedPairs, isBy: Bool, _ origin: String) throws -> End {
    let entities = isBy ? pairs.sources : pairs.targets
    if case .integer(let number) = value {
      for entity in entities { if let key = keys[entity][number] { return .key(key) } }
      if has(number, of: entities, in: refused) { return .refused }
      if has(number, of: entities, in: skipped) { return .dropped }
      // Sub-entities that become other entities have the relationship in the same table.
      let side = isBy ? pairs.by : pairs.to
      let isOfOthers = plan.pairs.contains { other in
        other.join == pairs.join && (other.by == side ? other.sources : other.targets).contains { keys[$0][number] != nil }
      }
      if isOfOthers { return .ofOthers }
      if isBy, let other = other(having: number, than: entities) { return .leftOut(other) }
      if dropsBrokenLinks { return .dropped }
    }
    let (source, name) = entities.first.map { (plan.entities[$0].source.name, plan.entities[$0].target.entity.name) } ?? ("", "")
    try refuse(pairs, origin, nil, "names \(source) \(value.shown), which is not there or does not become \(name)")
    return .refused
  }

  /// The moved entity beside these that has a row of their table.
  private func other(having row: Int64, than entities: [Int]) -> Int? {
    guard let table = entities.first.map({ plan.entities[$0].source.table }) else { return nil }
    return plan.entities.indices.first { plan.entities[$0].source.table == table && !entities.contains($0) && keys[$0][row] != nil }
  }

  /// Whether the mapping of an entity excludes the relationship that a table has.
  private func excludes(_ pairs: MovedPairs, _ number: Int) -> Bool {
    plan.entities[number].mapping.mapping.parts.relationships.contains { name, mapping in
      mapping.isExcluded && (pairs.to.isNamed(name.lowercased()) || pairs.to.isNumbered(name.lowercased()))
    }
  }

  private func insert(_ rows: [ImportedRow], _ origins: [String], _ pairs: MovedPairs) throws {
    try storeTogether(rows) { rows in
      _ = try store.insert(Array(rows), in: EntityTarget(pairs.entity))
      report.counts[pairs.entity.name, default: ImportCounts()].inserted += rows.count
    } refusing: { number, error in
      try refuse(pairs, origins[number], error.subject?.attribute, "is refused: \(error)")
    }
  }
}
