/// The rows of one section, in their order.
///
/// Lists that follow each other share the rows that have not changed: a commit that changes one row of 100,000 copies some hundreds.
public struct FetchedRows<E: Entity>: RandomAccessCollection, Sendable {
  /// One row.
  struct Row: Sendable {
    var entity: E
    /// Its values of the list's orders, or of its key where the list is not brought up to date in memory.
    let place: [StoredValue]
  }

  // None is empty.
  private var chunks: [[Row]] = []
  // The position after the last row of each chunk.
  private var ends: [Int] = []

  private static var mostRows: Int { 512 }

  init(_ rows: [Row]) {
    for start in stride(from: 0, to: rows.count, by: Self.mostRows / 2) {
      chunks.append(Array(rows[start..<Swift.min(start + Self.mostRows / 2, rows.count)]))
    }
    count(from: 0)
  }

  /// The position of the first row.
  public var startIndex: Int { 0 }
  /// The position after the last row.
  public var endIndex: Int { ends.last ?? 0 }

  /// The row at a position.
  public subscript(position: Int) -> E { row(at: position).entity }

  /// A row with its place.
  func row(at position: Int) -> Row {
    let (chunk, row) = find(position)
    return chunks[chunk][row]
  }

  /// The position of the first row of which a condition is true that is false of all rows before, and true of all after.
  func firstPosition(where isBehind: (Row) -> Bool) -> Int {
    let chunk = chunks.partitioningIndex { isBehind($0[$0.count - 1]) }
    if chunk == chunks.count { return endIndex }
    return start(of: chunk) + chunks[chunk].partitioningIndex(where: isBehind)
  }

  mutating func insert(_ row: Row, at position: Int) {
    if chunks.isEmpty {
      chunks = [[row]]
    } else {
      var (chunk, place) = position == endIndex ? (chunks.count - 1, chunks[chunks.count - 1].count) : find(position)
      if chunks[chunk].count == Self.mostRows {
        let half = Self.mostRows / 2
        chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
        chunks[chunk].removeLast(Self.mostRows - half)
        if place > half { (chunk, place) = (chunk + 1, place - half) }
        count(from: 0)
      }
      chunks[chunk].insert(row, at: place)
      return count(from: chunk)
    }
    count(from: 0)
  }

  @discardableResult
  mutating func remove(at position: Int) -> Row {
    let (chunk, place) = find(position)
    let row = chunks[chunk].remove(at: place)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    count(from: chunk)
    return row
  }

  private func start(of chunk: Int) -> Int { chunk == 0 ? 0 : ends[chunk - 1] }

  private func find(_ position: Int) -> (chunk: Int, row: Int) {
    let chunk = ends.partitioningIndex { $0 > position }
    return (chunk, position - start(of: chunk))
  }

  private mutating func count(from first: Int) {
    ends.removeLast(Swift.max(0, ends.count - first))
    for chunk in chunks[first...] { ends.append((ends.last ?? 0) + chunk.count) }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index at which a condition is true that is false before it and true after it.
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
