import DAOKit

/// Deletes the rows that lists no longer have, where no other record has related them since.
struct OrphanDeletion {
  let store: any EntityStore
  let plan: RecordPlan
  /// The keys of the feed's own rows.
  let present: Set<RowIdentity>
  private(set) var counts: [String: ImportCounts] = [:]

  init(_ store: any EntityStore, _ plan: RecordPlan, present: Set<RowIdentity>) {
    self.store = store
    self.plan = plan
    self.present = present
  }

  mutating func delete(_ orphans: [Orphan]) throws {
    for start in stride(from: 0, to: orphans.count, by: 500) {
      let piece = orphans[start..<min(start + 500, orphans.count)]
      try deleteChildren(piece)
      try deletePaired(piece)
    }
  }

  private mutating func deleteChildren(_ orphans: ArraySlice<Orphan>) throws {
    for number in plan.entities.indices {
      var before: [[Scalar]: [(row: ImportedRow, there: [Int])]] = [:]
      for case .child(number, let row, let there) in orphans {
        if let key = row.primaryKey { before[key, default: []].append((row, there)) }
      }
      if before.isEmpty { continue }
      let target = plan.entities[number].target
      let current = try store.find(ImportedRow.self, in: target, keys: Array(before.keys)).filter { row in
        (row.primaryKey.flatMap { before[$0] } ?? []).contains { known in known.there.allSatisfy { row.values[$0] == known.row.values[$0] }
        }
      }
      try delete(current, number)
    }
  }

  private mutating func deletePaired(_ orphans: ArraySlice<Orphan>) throws {
    for case .paired(let number, let pairs, let there, let values, let isOwnKind) in orphans {
      let entity = plan.entities[number]
      // Of rows that are paired with their own kind, each may stand on either side.
      let sides = isOwnKind ? [pairs.to, pairs.by] : [pairs.to]
      if try sides.contains(where: { try store.exists(in: pairs.target, values.criteria(at: $0, of: pairs.entity)) }) { continue }
      let rows = try store.find(ImportedRow.self, in: entity.target, values.criteria(at: there, of: entity.entity))
      try delete(rows, number)
    }
  }

  private mutating func delete(_ rows: [ImportedRow], _ number: Int) throws {
    let entity = plan.entities[number]
    let keys = rows.filter { row in
      number != 0 || RowIdentity(row.values, at: entity.keyPositions, as: entity.entity.types).map { !present.contains($0) } ?? true
    }
    let deleted = try store.delete(ImportedRow.self, keys: keys.compactMap(\.primaryKey), in: entity.target)
    if deleted > 0 { counts[entity.entity.name, default: ImportCounts()].deleted += deleted }
  }
}

extension RowIdentity {
  /// Criteria for the rows that have the values at some positions.
  fileprivate func criteria(at positions: [Int], of entity: EntityDescription) throws -> Criteria {
    var criteria = Criteria()
    criteria.filter = .all(
      try positions.enumerated().map { number, position in
        let attribute = entity.attributes[position]
        return .among(.field(FieldPath(attribute.name)), [try attribute.type.scalar(self[number])])
      })
    return criteria
  }
}
