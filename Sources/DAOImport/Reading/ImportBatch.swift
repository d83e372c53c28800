import DAOKit
import DAORecords

/// The records that are stored together, as nodes.
struct ImportBatch {
  /// The nodes; those of a record one behind the other.
  var nodes: [ImportNode] = []
  /// The values that the rows of all nodes take, those of a node one behind the other; nil for those that they keep. One list is made and
  /// freed faster than one for each node.
  private var values: [StoredValue?] = []
  /// The numbers of the nodes that are records of the feed.
  var roots: [Int] = []
  /// The origin of each record.
  var origins: [RecordOrigin] = []

  /// Adds a node whose row keeps all values.
  /// - Parameter count: how many attributes the row has.
  /// - Returns: its number.
  mutating func add(
    plan: Int, step: ImportNode.Step?, record: Int, count: Int, isKey: Bool = false, isLink: Bool = false, isByKey: Bool = false
  ) -> Int {
    let start = values.count
    values.append(contentsOf: repeatElement(nil, count: count))
    nodes.append(
      ImportNode(
        plan: plan, step: step, record: record, values: start..<values.count, isKey: isKey, isLink: isLink, isByKey: isByKey))
    return nodes.count - 1
  }

  /// How many values the rows of all nodes have.
  var valueCount: Int { values.count }

  /// Removes the nodes from a number on.
  mutating func removeNodes(from first: Int) {
    guard first < nodes.count else { return }
    values.removeSubrange(nodes[first].values.lowerBound...)
    nodes.removeSubrange(first...)
  }

  /// The value that the row of a node takes; nil where it keeps its own.
  subscript(node: Int, position: Int) -> StoredValue? {
    get { values[nodes[node].values.lowerBound + position] }
    set { values[nodes[node].values.lowerBound + position] = newValue }
  }

  /// The values that the row of a node takes.
  func values(of node: Int) -> ArraySlice<StoredValue?> { values[nodes[node].values] }

  /// The values by which the row of a node is found; nil where one of them is missing or null.
  func identity(of node: Int, at positions: [Int], as types: [AttributeType]) -> RowIdentity? {
    RowIdentity(at: positions, as: types) { self[node, $0] }
  }

  /// The batch of some of its records alone.
  func only(_ records: some Sequence<Int>) -> ImportBatch {
    var batch = ImportBatch()
    for record in records {
      batch.origins.append(origins[record])
      batch.roots.append(batch.addCopy(of: roots[record], from: self, step: nil))
    }
    return batch
  }

  /// Adds a node, and those of its relationships.
  /// - Returns: its number.
  private mutating func addCopy(of node: Int, from other: ImportBatch, step: ImportNode.Step?) -> Int {
    let own = other.nodes[node]
    let number = add(plan: own.plan, step: step, record: origins.count - 1, count: own.values.count, isKey: own.isKey, isLink: own.isLink)
    for position in 0..<own.values.count { self[number, position] = other[node, position] }
    nodes[number].hookRecord = own.hookRecord
    nodes[number].related = own.related.map { related in
      func copy(_ inner: Int) -> Int {
        let step = other.nodes[inner].step
        return addCopy(
          of: inner, from: other,
          step: ImportNode.Step(parent: number, relationship: related.relationship, path: step?.path, item: step?.item))
      }
      switch related.rows {
      case .null: return related
      case .one(let inner): return ImportNode.Related(relationship: related.relationship, rows: .one(copy(inner)))
      case .many(let inner): return ImportNode.Related(relationship: related.relationship, rows: .many(inner.map(copy)))
      }
    }
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
