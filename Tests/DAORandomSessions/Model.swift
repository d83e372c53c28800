import DAOKit

/// The rows of one owner, as they have to be.
package struct Model: Equatable, Sendable {
  struct Row: Equatable, Sendable {
    var number: Int
    /// The label of the row that it belongs to.
    var parent: String?
  }

  /// The rows of each table, by their labels.
  var rows: [[String: Row]]

  init() { rows = Array(repeating: [:], count: Kinds.all.count) }

  /// The rows that there are.
  init(_ maker: some DAOMaker, of owner: Int) throws {
    var labels: [[Int64: String]] = []
    var items: [(number: Int, label: String, row: Row, parentID: Int64?)] = []
    func read<Kind: ItemKind>(_ kind: Kind.Type) throws {
      let all = try maker.items(kind).all(of: owner)
      for item in all { items.append((labels.count, item.label, Row(number: item.number), item.parentID)) }
      labels.append(Dictionary(uniqueKeysWithValues: all.map { ($0.id ?? 0, $0.label) }))
    }
    for kind in Kinds.all { try read(kind) }
    self.init()
    for (number, label, row, parentID) in items {
      // A row of somebody else is none that it can belong to.
      let parent = parentID.map { labels[Kinds.parents[number]][$0] ?? "the unknown row \($0)" }
      rows[number][label] = Row(number: row.number, parent: parent)
    }
  }

  /// Deletes a row, and what belongs to it.
  mutating func delete(_ kind: Int, _ label: String) {
    guard rows[kind].removeValue(forKey: label) != nil else { return }
    for (child, parent) in Kinds.parents.enumerated() where parent == kind {
      for (other, row) in rows[child] where row.parent == label {
        if Kinds.all[child].mayBeAlone { rows[child][other]?.parent = nil } else { delete(child, other) }
      }
    }
  }

  /// What is there, and not in another.
  func differences(from other: Model) -> String {
    zip(rows, other.rows).enumerated().flatMap { kind, pair in
      Set(pair.0.keys).union(pair.1.keys).sorted().filter { pair.0[$0] != pair.1[$0] }.map {
        "\(Kinds.all[kind].entity.name) \($0): \(text(pair.0[$0])), not \(text(pair.1[$0]))"
      }
    }.joined(separator: "\n")
  }

  private func text(_ row: Row?) -> String { row.map { "\($0.number) in \($0.parent ?? "none")" } ?? "none" }
}
