import DAOKit
import DAORecords

/// The records that are stored together, as nodes.
struct ImportBatch {
  /// The nodes; those of a record one behind the other.
  var nodes: [ImportNode] = []
  /// The numbers of the nodes that are records of the feed.
  var roots: [Int] = []
  /// The origin of each record.
  var origins: [RecordOrigin] = []

  /// The batch of one of its records alone.
  func only(_ record: Int) -> ImportBatch {
    let (start, end) = (roots[record], record + 1 < roots.count ? roots[record + 1] : nodes.count)
    var batch = ImportBatch()
    batch.origins = [origins[record]]
    batch.roots = [0]
    batch.nodes = nodes[start..<end].map { $0.moved(by: start) }
    return batch
  }

  /// A problem with a node.
  /// - Parameter attribute: the attribute or relationship, and the path that leads to it.
  func problem(
    _ node: Int, _ plan: ImportPlan, _ attribute: String? = nil, at path: RecordPath? = nil, position: TextPosition? = nil,
    _ message: String
  ) -> ImportProblem {
    let origin = origins[nodes[node].record]
    let position = position ?? origin.position
    let names = origin.path + names(of: node, plan) + (path?.names ?? [])
    return ImportProblem(
      record: origin.number, line: position.line, column: position.column, pointer: names.jsonPointer,
      entity: plan.entities[nodes[node].plan].entity.name, attribute: attribute, message: message)
  }

  /// The names that lead from a record to a node in it.
  private func names(of node: Int, _ plan: ImportPlan) -> [String] {
    var names: [String] = []
    var step = nodes[node].step
    while let last = step {
      let relationship = plan.entities[nodes[last.parent].plan].relationships[last.relationship]
      let path = last.path.map { relationship.paths[$0].names } ?? [relationship.name]
      names = path + (last.item.map { ["\($0)"] } ?? []) + names
      step = nodes[last.parent].step
    }
    return names
  }
}

extension ImportNode {
  /// The node in a batch that begins with the node of this number.
  fileprivate func moved(by start: Int) -> ImportNode {
    var node = ImportNode(
      plan: plan,
      step: step.map { Step(parent: $0.parent - start, relationship: $0.relationship, path: $0.path, item: $0.item) },
      record: 0, values: values, isKey: isKey, isLink: isLink, hookRecord: hookRecord)
    node.related = related.map {
      Related(relationship: $0.relationship, nodes: $0.nodes.map { $0 - start }, isNull: $0.isNull)
    }
    return node
  }
}

extension [String] {
  /// The names as a JSON pointer (RFC 6901).
  var jsonPointer: String {
    map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}
