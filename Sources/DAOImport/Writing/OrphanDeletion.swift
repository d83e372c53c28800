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
    var rows: [Int: [ImportedRow]] = [:]
    for start in stride(from: 0, to: orphans.count, by: 500) {
      for (number, own) in try find(orphans[start..<min(start + 500, orphans.count)]) { rows[number, default: []] += own }
    }
    for number in referringFirst(Set(rows.keys)) { try delete(rows[number] ?? [], number) }
  }

  /// The plans, each before those that rows of it must refer to.
  private func referringFirst(_ numbers: Set<Int>) -> [Int] {
    var (left, order): (Set<Int>, [Int]) = (numbers, [])
    while let first = left.min() {
      let next = left.sorted().first { number in
        !left.contains { other in
          other != number && plan.entities[other].relationships.contains { !$0.relationship.isToMany && $0.target == number }
        }
      }
      // Of plans in a circle any.
      order.append(next ?? first)
      left.remove(next ?? first)
    }
    return order
  }

  /// The rows that are orphans still, by their plans.
  private func find(_ orphans: ArraySlice<Orphan>) throws -> [Int: [ImportedRow]] {
    var found: [Int: [ImportedRow]] = [:]
    var children: [Int: [[Scalar]: (row: ImportedRow, there: [Int])]] = [:]
    for orphan in orphans {
      switch orphan {
      case .child(let number, let row, let there): if let key = row.primaryKey { children[number, default: [:]][key] = (row, there) }
      case .paired(let number, let pairs, let there, let values, let isOwnKind):
        // Of rows that are paired with their own kind, each may stand on either side.
        let sides = isOwnKind ? [pairs.to, pairs.by] : [pairs.to]
        if try sides.contains(where: { try store.exists(in: pairs.target, values.criteria(at: $0, of: pairs.entity)) }) { continue }
        let entity = plan.entities[number]
        found[number, default: []] += try store.find(ImportedRow.self, in: entity.target, values.criteria(at: there, of: entity.entity))
      }
    }
    for (number, before) in children {
      found[number, default: []] += try store.find(ImportedRow.self, in: plan.entities[number].target, keys: Array(before.keys)).filter {
        row in
        guard let known = row.primaryKey.flatMap({ before[$0] }) else { return false }
        return known.there.allSatisfy { row.values[$0] == known.row.values[$0] }
      }
    }
    return found
  }

  private mutating func delete(_ rows: [ImportedRow], _ number: Int) throws {
    let entity = plan.entities[number]
    let own = rows.filter { row in
      number != 0 || RowIdentity(row, at: entity.keyPositions, as: entity.entity.types).map { !present.contains($0) } ?? true
    }
    let released = try store.releasing(own, entity)
    let deleted = try store.delete(ImportedRow.self, keys: released.compactMap(\.primaryKey), in: entity.target)
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
