import DAOKit
import DAORecords

extension BatchWriter {
  /// Notes which rows of a to-one relationship are not there yet, once the group's rows have keys.
  mutating func noteLinks(_ group: [Int], _ number: Int, _ relationship: Int) {
    for node in group {
      guard let related = batch.nodes[node].related(relationship), let row = rowOfNode[node] else { continue }
      if let target = related.nodes.first, rowOfNode[target] == nil {
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
    guard let source = source(row, number, relationship), let identity = targetPlan.identity(of: batch.nodes[target].values) else { return }
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
    return RowIdentity(rows[row].values, at: entity.keyPositions, as: entity.entity.types).map {
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
      let (entity, parent) = (plan.entities[link.source.plan], batch.nodes.count)
      let relationship = entity.relationships[link.source.relationship]
      batch.nodes.append(
        ImportNode(
          plan: link.source.plan, step: nil, record: 0, values: link.source.row.values(at: entity.keyPositions, of: entity.entity),
          isByKey: true))
      let target = plan.entities[relationship.target]
      let step = ImportNode.Step(parent: parent, relationship: link.source.relationship, path: nil, item: nil)
      batch.nodes.append(
        ImportNode(
          plan: relationship.target, step: step, record: 0, values: link.target.identity.values(at: target.identity, of: target.entity),
          isKey: true, isLink: true))
      batch.nodes[parent].related = [ImportNode.Related(relationship: link.source.relationship, nodes: [parent + 1], isNull: false)]
      groups[link.source.plan, default: []].append(parent)
    }
    var writer = BatchWriter(batch, plan, store)
    writer.onlyAdds = true
    for (number, group) in groups.sorted(by: { $0.key < $1.key }) { try writer.write(group, number) }
    let closed = links.indices.filter { writer.rowOfNode[2 * $0] != nil && writer.rowOfNode[2 * $0 + 1] != nil }
    return (Set(closed), writer.counts)
  }
}

extension RowIdentity {
  /// The values at their positions among those of a row; nil for others.
  fileprivate func values(at positions: [Int], of entity: EntityDescription) -> [StoredValue?] {
    var values = [StoredValue?](repeating: nil, count: entity.attributes.count)
    for (number, position) in positions.enumerated() { values[position] = self[number] }
    return values
  }
}
