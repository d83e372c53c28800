// What the store's foreign keys do to rows of the commit: which rows wait for others, and where they are found then.
extension EditFlush {
  /// A row that has to be written first. The row that it points to may move, and takes it along then; or another one has yet to give away
  /// the values to which it is to point, and would take it along. A row goes after those that point to it, which would go too.
  func blocker(of index: Int) -> Int? {
    let write = writes[index]
    guard let after = write.after else { return followers[index]?.first }
    for link in moved.links(of: write) {
      if link.onUpdate == .cascade, let parent = parent(of: index, by: link), isOpen(parent, link),
        let other = writes[parent].after, link.isFollowed(by: after, to: other)
      {
        return parent
      }
      if let other = link.moved(under: after), other != index, isOpen(other, link) { return other }
    }
    return nil
  }

  /// Whether a row has yet to give away the values to which others point.
  private func isOpen(_ index: Int, _ link: MovedRows.Link) -> Bool {
    if progress[index] == .written { return false }
    guard let parked = parked[index], let before = writes[index].before else { return true }
    return link.targets.allSatisfy { parked[$0] == before[$0] }
  }

  /// The moved row to which a row points, unless it points away meanwhile.
  private func parent(of index: Int, by link: MovedRows.Link) -> Int? {
    guard let before = writes[index].before, let parent = link.moved(under: before), parent != index else { return nil }
    return pointsAway[index]?.isDisjoint(with: link.columns) == false ? nil : parent
  }

  /// The rows that go and would take a row along, if it did not point away before.
  func goingParents(of index: Int) -> [Int] {
    moved.links(of: writes[index]).compactMap { link in
      guard link.onDelete != .nothing, let parent = parent(of: index, by: link), writes[parent].after == nil else { return nil }
      return parent
    }
  }

  /// The columns by which a row has to point away, so that what it points to can go.
  func columnsToLeave(_ index: Int) -> Set<Int> {
    if writes[index].after == nil { return [] }
    return Set(
      moved.links(of: writes[index]).filter { link in
        parent(of: index, by: link).map { writes[$0].after == nil && progress[$0] != .written } ?? false
      }.flatMap(\.columns))
  }

  /// The columns that the store has changed with what a row points to; and the row with the values that they have now.
  func followed(_ index: Int) -> (row: [StoredValue], columns: Set<Int>)? {
    var known: [Int: [StoredValue]] = [:]
    return followed(index, &known, 500)
  }

  /// - Parameters:
  ///   - known: the rows that were looked for already.
  ///   - depth: through how many rows it is looked for.
  private func followed(_ index: Int, _ known: inout [Int: [StoredValue]], _ depth: Int) -> (row: [StoredValue], columns: Set<Int>)? {
    guard var row = parked[index] ?? writes[index].before else { return nil }
    var columns: Set<Int> = []
    known[index] = row
    for link in moved.links(of: writes[index]) where link.onUpdate != .nothing {
      guard let parent = parent(of: index, by: link), let after = writes[parent].after else { continue }
      if link.onUpdate == .cascade {
        var place = progress[parent] == .written ? after : known[parent]
        if place == nil, depth > 0 { place = followed(parent, &known, depth - 1)?.row }
        if let place { for (column, target) in zip(link.columns, link.targets) { row[column] = place[target] } }
      }
      columns.formUnion(link.columns)
    }
    known[index] = row
    return (row, columns)
  }

  /// Whether a cascade may have given a row another key.
  func hasMovingKey(_ write: EditWrite) -> Bool {
    guard let before = write.before else { return false }
    return moved.links(of: write).contains { link in
      link.onUpdate != .nothing && !Set(link.columns).isDisjoint(with: write.table.key)
        && link.moved(under: before).map { writes[$0].after != nil } ?? false
    }
  }

  /// The row in the store where its own cascade has changed it, since it has pointed to itself; nil where it is as it has to be.
  func changedByItself(_ index: Int) throws -> [StoredValue]? {
    guard let before = writes[index].before, let after = writes[index].after else { return nil }
    let (table, links) = (writes[index].table, moved.links(of: writes[index]))
    guard links.contains(where: { $0.onUpdate != .nothing && $0.moved(under: before) == index }),
      let found = try writer.row(table.key(of: after), of: table)
    else { return nil }
    return links.contains { link in link.columns.contains { found[$0] != after[$0] } } ? found : nil
  }
}
