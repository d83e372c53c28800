import DAOKit

/// The rows that lists no longer have, so far.
struct Orphans {
  private struct Key: Hashable {
    let plan: Int
    let row: RowIdentity
  }

  private var children: [Key: Orphan] = [:]
  private var paired: [Orphan] = []

  var isEmpty: Bool { children.isEmpty && paired.isEmpty }

  /// Adds those of a batch. A row that the batch has is one no more.
  mutating func follow(_ writer: BatchWriter) {
    if !children.isEmpty {
      for (node, row) in zip(writer.batch.nodes, writer.rowOfNode) {
        if let row, let key = Self.key(writer.rows[row], node.plan, writer.plan) { children[key] = nil }
      }
    }
    for orphan in writer.orphans {
      switch orphan {
      case .child(let plan, let row, _): if let key = Self.key(row, plan, writer.plan) { children[key] = orphan }
      case .paired: paired.append(orphan)
      }
    }
  }

  /// Takes all of them.
  mutating func takeAll() -> [Orphan] {
    defer { self = Orphans() }
    return Array(children.values) + paired
  }

  private static func key(_ row: ImportedRow, _ plan: Int, _ plans: RecordPlan) -> Key? {
    let entity = plans.entities[plan]
    return RowIdentity(row, at: entity.keyPositions, as: entity.entity.types).map { Key(plan: plan, row: $0) }
  }
}
