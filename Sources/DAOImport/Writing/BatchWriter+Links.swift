import DAOKit
import DAORecords

extension BatchWriter {
  /// Notes which rows of a to-one relationship are not there yet, once the group's rows have keys.
  mutating func noteLinks(_ group: [Int], _ number: Int, _ relationship: Int) {
    for node in group {
      guard let related = batch.nodes[node].rows(of: relationship), let row = rowOfNode[node] else { continue }
      if case .one(let target) = related, rowOfNode[target] == nil {
        noteOpen(row, node, number, relationship, target)
      } else {
        noteSettled(row, number, relationship)
      }
    }
  }

  /// Notes that a row of a relationship is not there yet. A row that a record named before is named no longer.
  mutating func noteOpen(_ row: Int, _ node: Int, _ number: Int, _ relationship: Int, _ target: Int, isOneOfMany: Bool = false) {
    let entity = plan.entities[number]
    let relationshipPlan = entity.relationships[relationship]
    let targetPlan = plan.entities[relationshipPlan.target]
    if !isOneOfMany { noteSettled(row, number, relationship) }
    guard let source = source(row, number, relationship), let identity = targetPlan.identity(of: target, in: batch) else { return }
    let step = batch.nodes[target].step
    let path = step?.path.map { relationshipPlan.paths[$0].names } ?? [relationshipPlan.name]
    linkChanges.append(
      .open(
        OpenLink(
          source: source, target: OpenLink.Target(plan: relationshipPlan.target, identity: identity),
          origin: batch.origins[batch.nodes[node].record],
          path: batch.names(of: node, plan) + path + (step?.item.map { ["\($0)"] } ?? []))))
  }

  /// Notes that the relationship of a row is as the last record has it.
  mutating func noteSettled(_ row: Int, _ number: Int, _ relationship: Int) {
    guard tracksLinks || !linkChanges.isEmpty, let source = source(row, number, relationship) else { return }
    linkChanges.append(.settled(source))
  }

  private func source(_ row: Int, _ number: Int, _ relationship: Int) -> OpenLink.Source? {
    let entity = plan.entities[number]
    return RowIdentity(rows[row], at: entity.keyPositions, as: entity.entity.types).map {
      OpenLink.Source(plan: number, relationship: relationship, row: $0)
    }
  }

  /// Relates rows to those that were not there before.
  /// - Returns: the links that are closed, by their numbers in the list, and the effect.
  static func close(
    _ links: [OpenLink], _ plan: RecordPlan, _ store: any EntityStore
  ) throws -> (closed: Set<Int>, counts: [String: ImportCounts]) {
    var batch = ImportBatch()
    batch.origins = [RecordOrigin(number: 0, position: TextPosition(), path: [])]
    var groups: [Int: [Int]] = [:]
    for link in links {
      let entity = plan.entities[link.source.plan]
      let relationship = entity.relationships[link.source.relationship]
      let parent = batch.add(plan: link.source.plan, step: nil, record: 0, count: entity.entity.attributes.count, isByKey: true)
      batch.set(link.source.row, of: parent, at: entity.keyPositions)
      let target = plan.entities[relationship.target]
      let step = ImportNode.Step(parent: parent, relationship: link.source.relationship, path: nil, item: nil)
      let child = batch.add(
        plan: relationship.target, step: step, record: 0, count: target.entity.attributes.count, isKey: true, isLink: true)
      batch.set(link.target.identity, of: child, at: target.identity)
      let rows: ImportNode.Rows = relationship.relationship.isToMany ? .many([child]) : .one(child)
      batch.nodes[parent].related = [ImportNode.Related(relationship: link.source.relationship, rows: rows)]
      groups[link.source.plan, default: []].append(parent)
    }
    var writer = BatchWriter(batch, plan, store)
    writer.onlyAdds = true
    for (number, group) in groups.sorted(by: { $0.key < $1.key }) { try writer.write(group, number) }
    let closed = links.indices.filter { writer.rowOfNode[2 * $0] != nil && writer.rowOfNode[2 * $0 + 1] != nil }
    return (Set(closed), writer.counts)
  }
}

extension ImportBatch {
  /// Gives a node the values of an identity.
  fileprivate mutating func set(_ identity: RowIdentity, of node: Int, at positions: [Int]) {
    for (number, position) in positions.enumerated() { self[node, position] = identity[number] }
  }
}
