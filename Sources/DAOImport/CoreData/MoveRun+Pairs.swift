import DAOKit

// Pairs of rows.
extension MoveRun {
  /// Stores the pairs of a table.
  func store(_ pairs: MovedPairs) throws {
    let columns = [pairs.by.column, pairs.to.column] + (pairs.order == nil ? [] : [pairs.to.order].compactMap(\.self))
    let names = columns.map(\.asSQLName).joined(separator: ", ")
    var rows: [ImportedRow] = []
    var origins: [String] = []
    try connection.each("SELECT \(names) FROM \(pairs.join.table.asSQLName) ORDER BY 1, 2") { row in
      report.records += 1
      let (one, other) = (try row.takeStored(), try row.takeStored())
      let origin = "\(one.shown)-\(other.shown)"
      // Sub-entities that become other entities have the relationship in the same table.
      if case .integer(let number) = one, isOfAnother(number, than: pairs.sources) { return }
      let (by, to) = (try key(one, pairs.sources, pairs, origin), try key(other, pairs.targets, pairs, origin))
      guard let by, let to else { return }
      var values = pairs.defaults
      for (position, value) in zip(pairs.byPositions, by) { values[position] = value }
      for (position, value) in zip(pairs.toPositions, to) { values[position] = value }
      if let order = pairs.order {
        do {
          let stored = try row.takeStored()
          guard case .integer(let place) = stored else {
            guard stored.isNull, pairs.entity.attributes[order].isOptional else {
              throw ValueProblem("expects a position, but the row holds \(stored.shown)")
            }
            values[order] = .null
            rows.append(ImportedRow(values, of: pairs.entity))
            return origins.append(origin)
          }
          values[order] = try pairs.entity.attributes[order].type.stored(.integer(place))
        } catch let problem as ValueProblem {
          return try refuse(pairs, origin, pairs.entity.attributes[order].name, "\(problem)")
        }
      }
      rows.append(ImportedRow(values, of: pairs.entity))
      origins.append(origin)
      if rows.count >= Self.chunk.rows {
        try insert(rows, origins, pairs)
        (rows, origins) = ([], [])
      }
    }
    try insert(rows, origins, pairs)
  }

  /// Whether a row became one of other entities than these, which have the same table.
  private func isOfAnother(_ row: Int64, than entities: [Int]) -> Bool {
    guard let table = entities.first.map({ plan.entities[$0].source.table }) else { return false }
    return plan.entities.indices.contains { plan.entities[$0].source.table == table && !entities.contains($0) && keys[$0][row] != nil }
  }

  /// The key of a row of a pair; nil where it is not there.
  private func key(_ value: StoredValue, _ entities: [Int], _ pairs: MovedPairs, _ origin: String) throws -> [StoredValue]? {
    if case .integer(let number) = value {
      for entity in entities { if let key = keys[entity][number] { return key } }
      if let first = entities.first, refused.contains(Row(table: plan.entities[first].source.table, number: number)) { return nil }
      if dropsBrokenLinks {
        report.counts[pairs.entity.name, default: ImportCounts()].unlinked += 1
        return nil
      }
    }
    let (source, name) = entities.first.map { (plan.entities[$0].source.name, plan.entities[$0].target.entity.name) } ?? ("", "")
    try refuse(pairs, origin, nil, "names \(source) \(value.shown), which is not there or does not become \(name)")
    return nil
  }

  private func insert(_ rows: [ImportedRow], _ origins: [String], _ pairs: MovedPairs) throws {
    if rows.isEmpty { return }
    let target = EntityTarget(pairs.entity)
    func insert(_ rows: ArraySlice<ImportedRow>) throws -> DAOError? {
      do {
        try store.withSession(.write) { _ = try store.insert(Array(rows), in: target) }
        report.counts[pairs.entity.name, default: ImportCounts()].inserted += rows.count
        return nil
      } catch let error as DAOError where error.isOfRecord { return error }
    }
    if try insert(rows[...]) == nil { return }
    for index in rows.indices {
      if let error = try insert(rows[index...index]) { try refuse(pairs, origins[index], error.subject?.attribute, "is refused: \(error)") }
    }
  }
}
