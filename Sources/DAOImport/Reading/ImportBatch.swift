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
    var batch = ImportBatch()
    batch.origins = [origins[record]]
    batch.roots = [0]
    batch.addCopy(of: roots[record], from: self, step: nil)
    return batch
  }

  /// Adds a node, and those of its relationships.
  /// - Returns: its number.
  @discardableResult
  private mutating func addCopy(of node: Int, from other: ImportBatch, step: ImportNode.Step?) -> Int {
    let (number, own) = (nodes.count, other.nodes[node])
    var copy = ImportNode(
      plan: own.plan, step: step, record: 0, values: own.values, isKey: own.isKey, isLink: own.isLink, hookRecord: own.hookRecord)
    nodes.append(copy)
    copy.related = own.related.map { related in
      let inner = related.nodes.map { inner in
        let step = other.nodes[inner].step
        return addCopy(
          of: inner, from: other,
          step: ImportNode.Step(parent: number, relationship: related.relationship, path: step?.path, item: step?.item))
      }
      return ImportNode.Related(relationship: related.relationship, nodes: inner, isNull: related.isNull)
    }
    nodes[number] = copy
    return number
  }

  /// A problem with a node.
  /// - Parameter attribute: the attribute or relationship, and the path that leads to it.
  func problem(
    _ node: Int, _ plan: RecordPlan, _ attribute: String? = nil, at path: RecordPath? = nil, position: TextPosition? = nil,
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
  func names(of node: Int, _ plan: RecordPlan) -> [String] {
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

extension [String] {
  /// The names as a JSON pointer (RFC 6901).
  var jsonPointer: String {
    map { name in "/" + name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined() }.joined()
  }
}
