import DAOKit

// References to other rows.
extension MoveRun {
  /// Gives records the keys of the rows that they refer to.
  /// - Returns: the batch, and the numbers of its records that are stored: others refer to rows that are not there.
  func relate(
    _ batch: ImportBatch, _ number: Int, _ links: [Int64: [StoredValue]]
  ) throws -> (batch: ImportBatch, left: [Int]) {
    if plan.entities[number].links.isEmpty { return (batch, Array(batch.roots.indices)) }
    let entity = plan.entities[number]
    var batch = batch
    var left: [Int] = []
    for (record, root) in batch.roots.enumerated() {
      let row = batch.origins[record].rowNumber
      var isRefused = false
      for (link, value) in zip(entity.links, links[row] ?? []) {
        var key: [StoredValue]?
        switch value {
        case .null: break
        case .integer(let other):
          key = self.key(of: other, link)
          if key == nil {
            isRefused = try !mayBeOpen(link, to: other, of: row, number) || isRefused
          }
        default:
          isRefused = true
          try refuse(row, entity, link.column.name, link.name, "is a reference, but the row holds \(value.shown)")
        }
        if key == nil, value.isNull, !link.isOptional {
          isRefused = true
          try refuse(row, entity, link.column.name, link.name, "can't be null")
        }
        for (place, position) in link.positions.enumerated() { batch[root, position] = key?[place] ?? .null }
      }
      if isRefused { note(refused: row, entity) } else { left.append(record) }
    }
    return (batch, left)
  }

  /// The key of the row that a reference leads to; nil where it is not stored.
  private func key(of row: Int64, _ link: MovedEntity.Link) -> [StoredValue]? {
    for target in link.targets { if let key = keys[target][row] { return key } }
    return nil
  }

  /// Whether a row is stored although another that it refers to is not there, or not yet.
  private func mayBeOpen(_ link: MovedEntity.Link, to other: Int64, of row: Int64, _ number: Int) throws -> Bool {
    let entity = plan.entities[number]
    let isFinal = link.targets.allSatisfy(finished.contains)
    if !isFinal, link.isOptional { return true }
    // That row's problem is reported already, and nothing will be stored.
    if has(other, of: link.targets, in: refused) { return link.isOptional }
    let isSkipped = has(other, of: link.targets, in: skipped)
    if isFinal, link.isOptional, dropsBrokenLinks || isSkipped {
      countUnlinked(entity.target.entity)
      return true
    }
    let target = plan.entities[link.targets[0]].source.name
    let name = plan.entities[link.targets[0]].target.entity.name
    try refuse(
      row, entity, link.column.name, link.name,
      isSkipped
        ? "leads to \(target) \(other), which a hook left out, and can't be null"
        : isFinal
          ? "leads to \(target) \(other), which is not there or does not become \(name)"
          : "leads to \(target) \(other), which is stored later or is not there, and can't be null until then")
    return false
  }

  /// Closes the references to rows that came later.
  func storeOpenLinks(of number: Int) throws {
    let entity = plan.entities[number]
    // Those to entities that came before were closed at once.
    let before = Set(plan.order.prefix { $0 != number })
    let open = entity.links.filter { link in link.isOptional && !link.targets.allSatisfy(before.contains) }
    if open.isEmpty { return }
    let columns = ["Z_PK"] + open.map(\.value)
    let condition = open.map { "\($0.value) IS NOT NULL" }.joined(separator: " OR ")
    var rows: [(number: Int64, key: [StoredValue], links: [StoredValue])] = []
    let sql = CoreDataRows.sql(entity.source.table, columns, of: entity.numbers, where: "(\(condition))")
    try connection.each(sql) { row in
      guard case .integer(let key) = try row.takeStored(), let own = keys[number][key] else { return }
      rows.append((key, own, try open.map { _ in try row.takeStored() }))
      if rows.count >= Self.chunk.rows {
        try close(rows, open, entity, number)
        rows = []
      }
    }
    try close(rows, open, entity, number)
  }

  private func close(
    _ rows: [(number: Int64, key: [StoredValue], links: [StoredValue])], _ links: [MovedEntity.Link], _ entity: MovedEntity, _ number: Int
  ) throws {
    if rows.isEmpty { return }
    let target = entity.target
    let types = target.keyPositions.map { target.entity.types[$0] }
    let found = try store.find(
      ImportedRow.self, in: target.target, keys: try rows.map { row in try zip(types, row.key).map { try $0.scalar($1) } })
    let known = Dictionary(
      found.map { (row: ImportedRow) in (target.keyPositions.map { row.values[$0] }, row) }, uniquingKeysWith: { a, _ in a })
    var changed: [(row: ImportedRow, number: Int64)] = []
    for row in rows {
      guard var new = known[row.key] else {
        let key = row.key.map(\.shown).joined(separator: ", ")
        try refuse(
          row.number, entity, nil, nil, "is stored with the key \(key), by which it is not found again, so that its references stay open")
        continue
      }
      let old = new.values
      for (link, value) in zip(links, row.links) {
        // A value that is no integer was refused before.
        guard case .integer(let other) = value else { continue }
        guard let key = key(of: other, link) else {
          _ = try mayBeOpen(link, to: other, of: row.number, number)
          continue
        }
        for (position, part) in zip(link.positions, key) { new.values[position] = part }
      }
      if new.values != old { changed.append((new, row.number)) }
    }
    try storeTogether(changed) { rows in
      _ = try store.update(rows.map(\.row), in: target.target)
    } refusing: { number, error in
      try refuse(changed[number].number, entity, nil, error.subject?.attribute, "is refused: \(error)")
    }
  }
}
