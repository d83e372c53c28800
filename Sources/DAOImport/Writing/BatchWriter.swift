import DAOKit

/// Stores a batch of records: all of them, or it throws.
///
/// The nodes are stored in groups, each with all nodes of the batch that the same relationships lead to. A group's rows are found by one
/// query, and written by one statement for those that are new and one for those that change:
///
/// 1. the rows that to-one relationships lead to, since the group's rows hold their keys;
/// 2. the group's own rows;
/// 3. the rows of to-many relationships, which hold the keys of the group's.
struct BatchWriter {
  let store: any EntityStore
  let plan: RecordPlan
  var batch: ImportBatch
  /// The rows of the nodes.
  var rows: [ImportedRow] = []
  /// The number of each node's row; nil for a row that is not there.
  var rowOfNode: [Int?]
  /// The effect on each entity.
  var counts: [String: ImportCounts] = [:]
  /// Whether no list replaces what was related before.
  var onlyAdds = false
  /// Whether rows that a list leaves out are deleted before those that it has are stored, which may take over unique values.
  var endsFirst = false
  /// Whether links are open that a record may settle.
  var tracksLinks = false
  /// What the records say of links.
  var linkChanges: [LinkChange] = []
  /// Rows that lists no longer have.
  var orphans: [Orphan] = []
  /// The numbers of new rows, with those of their plans.
  var inserted: [(plan: Int, row: Int)] = []

  init(_ batch: ImportBatch, _ plan: RecordPlan, _ store: any EntityStore) {
    self.store = store
    self.plan = plan
    self.batch = batch
    rowOfNode = Array(repeating: nil, count: batch.nodes.count)
  }

  /// Stores the batch.
  /// - Throws: ``RefusedNode``, ``DAOError``.
  mutating func write() throws { try write(batch.roots, 0) }

  /// Stores a group of nodes.
  mutating func write(_ group: [Int], _ number: Int) throws {
    if group.isEmpty { return }
    let entity = plan.entities[number]
    for (relationship, plan) in entity.relationships.enumerated() where !plan.relationship.isToMany {
      let targets = group.compactMap { node in if case .one(let target) = batch.nodes[node].rows(of: relationship) { target } else { nil } }
      try write(targets.withoutRepeats(batch.nodes.count), plan.target)
    }
    // Behind all of them: a row that one of them names may come within another.
    for (relationship, plan) in entity.relationships.enumerated() {
      if case .toOne(let here, let there) = plan.matching { try relate(group, relationship, plan, here, there) }
    }
    try writeRows(group, number)
    for (relationship, plan) in entity.relationships.enumerated() where !plan.relationship.isToMany {
      noteLinks(group, number, relationship)
    }
    for (relationship, plan) in entity.relationships.enumerated() where plan.relationship.isToMany {
      try writeMany(group, number, relationship, plan)
    }
    if entity.hasHooksAtStoring { try callHooks(group, entity) }
  }

  // MARK: To-one relationships

  private mutating func relate(
    _ group: [Int], _ number: Int, _ relationship: RelationshipPlan, _ here: [Int], _ there: [Int]
  ) throws {
    for node in group {
      switch batch.nodes[node].rows(of: number) {
      case .one(let target)?:
        if let row = rowOfNode[target] {
          for (here, there) in zip(here, there) { batch[node, here] = rows[row].values[there] }
        } else if !relationship.isOptional {
          let entity = plan.entities[relationship.target]
          throw RefusedNode(node, relationship.name, entity.missing(entity.identity(of: target, in: batch)))
        }
      case .null?: for position in here { batch[node, position] = .null }
      case .many?, nil: break
      }
    }
  }

  /// Counts an effect on rows of an entity.
  mutating func count(_ entity: EntityDescription, _ effect: (inout ImportCounts) -> Void) {
    effect(&counts[entity.name, default: ImportCounts()])
  }

  // MARK: Hooks

  private func callHooks(_ group: [Int], _ entity: EntityPlan) throws {
    for node in group {
      guard let record = batch.nodes[node].hookRecord, let row = rowOfNode[node] else { continue }
      func call(_ name: String?, _ hook: (inout RowReader, ImportRecord) throws -> Void) throws {
        try RefusedNode.by(node, name) {
          var reader = RowReader(rows[row].values, columns: entity.columns)
          try hook(&reader, record)
        }
      }
      for related in batch.nodes[node].related {
        let relationship = entity.relationships[related.relationship]
        if let after = relationship.hooks?.after { try call(relationship.name, after) }
      }
      if let after = entity.hooks.after { try call(nil, after) }
    }
  }
}

extension [Int] {
  /// The numbers, each once; they are below a bound.
  fileprivate func withoutRepeats(_ bound: Int) -> [Int] {
    var isKnown = Array<Bool>(repeating: false, count: bound)
    return filter { number in
      defer { isKnown[number] = true }
      return !isKnown[number]
    }
  }
}

extension ImportNode {
  /// The rows of a relationship; nil where the record does not have it.
  func rows(of relationship: Int) -> Rows? { related.first { $0.relationship == relationship }?.rows }
}
