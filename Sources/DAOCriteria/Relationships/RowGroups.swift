/// Which rows belong to which entities, by the keys of both.
struct RowGroups {
  /// The group of each entity; -1 where it has no key.
  private let groups: [Int]
  // The numbers of the rows, those of a group beside each other, and where each group begins.
  private var rows: [Int]
  private var starts: [Int]
  /// Whether the rows came group by group, so that each group is a piece of them.
  let areInPieces: Bool

  /// - Parameters:
  ///   - keys: those of the entities.
  ///   - found: those of the rows.
  ///   - pairs: which entities' keys lead to a row's; nil where that is the row's own.
  init(_ keys: NotedKeys, _ found: NotedKeys, _ pairs: [MatchKey: [MatchKey]]?) {
    if pairs == nil, let here = keys.integers, let there = found.integers {
      self.init(here.lazy.map { Optional($0) }, there.lazy.map { CollectionOfOne($0) })
    } else {
      let starts: [[MatchKey]] = found.keys.map { key in
        guard let key else { return [] }
        return if let pairs { pairs[key] ?? [] } else { [key] }
      }
      self.init(keys.keys, starts)
    }
  }

  private init<Key: Hashable>(_ keys: some Collection<Key?>, _ found: some Collection<some Collection<Key>>) {
    var numbers: [Key: Int] = [:]
    numbers.reserveCapacity(keys.count)
    // Those of one group mostly come one after the other.
    var last: (key: Key, group: Int?)?
    groups = keys.map { key in
      guard let key else { return -1 }
      if let last, last.key == key, let group = last.group { return group }
      let group = numbers[key] ?? numbers.count
      if group == numbers.count { numbers[key] = group }
      last = (key, group)
      return group
    }
    last = nil
    var counts = [Int](repeating: 0, count: numbers.count + 1)
    var places: [(group: Int, row: Int)] = []
    places.reserveCapacity(found.count)
    for (row, starts) in found.enumerated() {
      for key in starts {
        let group: Int?
        if let last, last.key == key { group = last.group } else { group = numbers[key] }
        last = (key, group)
        guard let group else { continue }
        places.append((group, row))
        counts[group + 1] += 1
      }
    }
    for group in counts.indices.dropFirst() { counts[group] += counts[group - 1] }
    starts = counts
    rows = [Int](repeating: 0, count: places.count)
    for place in places {
      rows[counts[place.group]] = place.row
      counts[place.group] += 1
    }
    areInPieces = zip(starts, starts.dropFirst()).allSatisfy { [rows] start, end in
      (start..<end).allSatisfy { rows[$0] - rows[start] == $0 - start }
    }
  }

  /// The numbers of an entity's rows.
  func rows(of entity: Int) -> ArraySlice<Int> {
    let group = groups[entity]
    return group < 0 ? [] : rows[starts[group]..<starts[group + 1]]
  }

  /// The number of each entity's first row; -1 where it has none.
  var firstRows: [Int] {
    groups.map { group in group < 0 || starts[group] == starts[group + 1] ? -1 : rows[starts[group]] }
  }

  /// Returns the range of an entity's rows among the fetched ones; nil where they are not adjacent.
  func piece(of entity: Int) -> Range<Int>? {
    if !areInPieces { return nil }
    let rows = rows(of: entity)
    guard let first = rows.first else { return 0..<0 }
    return first..<first + rows.count
  }
}
