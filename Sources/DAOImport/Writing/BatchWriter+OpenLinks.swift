import DAOKit
import DAORecords

extension BatchWriter {
  /// A row of a relationship that is not there yet.
  /// - Parameters:
  ///   - row: the row to be related, and the node that it is of.
  ///   - number: the plan of its entity.
  func openLink(
    of row: ImportedRow, _ node: Int, _ number: Int, _ relationship: Int, _ plan: RelationshipPlan, _ target: Int
  ) -> OpenLink {
    var key = [StoredValue?](repeating: nil, count: row.values.count)
    for position in self.plan.entities[number].keyPositions { key[position] = row.values[position] }
    let step = batch.nodes[target].step
    let path = step?.path.map { plan.paths[$0] } ?? RecordPath([plan.name])
    return OpenLink(
      plan: number, row: key, relationship: relationship, target: batch.nodes[target].values,
      problem: batch.problem(
        node, self.plan, plan.name, at: RecordPath(path.names + (step?.item.map { ["\($0)"] } ?? [])), missing(target)))
  }

  /// Relates rows to those that were not there before.
  /// - Returns: the links whose rows are still not there.
  static func close(_ links: [OpenLink], _ plan: ImportPlan, _ store: any EntityStore) throws -> (
    left: [OpenLink], counts: [String: ImportCounts]
  ) {
    if links.isEmpty { return ([], [:]) }
    var batch = ImportBatch()
    batch.origins = [RecordOrigin(number: 0, position: TextPosition(), path: [])]
    var groups: [Int: [Int]] = [:]
    for link in links {
      let parent = batch.nodes.count
      let relationship = plan.entities[link.plan].relationships[link.relationship]
      batch.nodes.append(ImportNode(plan: link.plan, step: nil, record: 0, values: link.row, isByKey: true))
      let step = ImportNode.Step(parent: parent, relationship: link.relationship, path: nil, item: nil)
      batch.nodes.append(ImportNode(plan: relationship.target, step: step, record: 0, values: link.target, isKey: true, isLink: true))
      batch.nodes[parent].related = [ImportNode.Related(relationship: link.relationship, nodes: [parent + 1], isNull: false)]
      groups[link.plan, default: []].append(parent)
    }
    var writer = BatchWriter(batch, plan, store)
    writer.onlyAdds = true
    for (number, group) in groups.sorted(by: { $0.key < $1.key }) { try writer.write(group, number) }
    let left = links.enumerated().filter { writer.rowOfNode[2 * $0.offset + 1] == nil && writer.rowOfNode[2 * $0.offset] != nil }.map(
      \.element)
    return (left, writer.counts)
  }
}
