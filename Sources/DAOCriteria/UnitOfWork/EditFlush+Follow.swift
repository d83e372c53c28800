// What the store's foreign keys do to rows of the commit: which rows wait for others, and where they are found then.
extension EditFlush {
  /// Whether a row has to wait. The row that it points to may move, and takes it along then; or another one has yet to give away the values
  /// to which it is to point, and would take it along. A row goes after those that point to it, which would go too.
  func hasToWait(_ index: Int) -> Bool {
    let write = writes[index]
    guard let after = write.after else { return followers[index]?.isEmpty == false }
    return moved.links(of: write).contains { link in
      if link.followsUpdates, let parent = parent(of: index, by: link), writes[parent].after != nil, progress[parent] != .written {
        return true
      }
      return link.moved(under: after).map { $0 != index && progress[$0] != .written } ?? false
    }
  }

  /// The moved row to which a row points, unless it points away meanwhile.
  private func parent(of index: Int, by link: MovedRows.Link) -> Int? {
    guard let before = writes[index].before, let parent = link.moved(under: before), parent != index else { return nil }
    if let parked = parked[index], link.columns.contains(where: { parked[$0] != before[$0] }) { return nil }
    return parent
  }

  /// The rows that go with one that points to them, if it has not left them before.
  func rowsLeft(by index: Int) -> [Int] {
    moved.links(of: writes[index]).compactMap { link in
      guard link.followsDeletes, let parent = parent(of: index, by: link), writes[parent].after == nil else { return nil }
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

  /// The columns that the store will change, or has changed, with what a row points to; and the row with the values that it has now.
  /// - Parameter depth: how many tables there may be between it and a row that moves by itself.
  func followed(_ index: Int, _ depth: Int) -> (row: [StoredValue], columns: Set<Int>)? {
    guard var row = parked[index] ?? writes[index].before else { return nil }
    var columns: Set<Int> = []
    if depth == 0 { return (row, columns) }
    for link in moved.links(of: writes[index]) where link.followsUpdates {
      guard let parent = parent(of: index, by: link), writes[parent].after != nil,
        let place = progress[parent] == .written ? writes[parent].after : followed(parent, depth - 1)?.row
      else { continue }
      for (column, target) in zip(link.columns, link.targets) { row[column] = place[target] }
      columns.formUnion(link.columns)
    }
    return (row, columns)
  }

  /// The row in the store where its own cascade has changed it, since it has pointed to itself; nil where it is as it has to be.
  func changedByItself(_ index: Int) throws -> [StoredValue]? {
    guard let before = writes[index].before, let after = writes[index].after else { return nil }
    let (table, links) = (writes[index].table, moved.links(of: writes[index]))
    guard links.contains(where: { $0.followsUpdates && $0.moved(under: before) == index }),
      let found = try writer.row(table.key(of: after), of: table)
    else { return nil }
    return links.contains { link in link.columns.contains { found[$0] != after[$0] } } ? found : nil
  }
}
