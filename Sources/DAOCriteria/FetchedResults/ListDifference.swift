import Foundation

/// Finds out how a list differs from the one before it.
///
/// Only some rows are examined: those that a commit has changed, or all where the list was read again. All other rows are in both lists, in
/// the same section and in the same order.
struct ListDifference {
  /// The place of a row.
  struct Place: Hashable {
    let section: Int
    let row: Int

    var path: IndexPath { [section, row] }
  }

  /// A row that is examined, with its place in each list.
  struct Row {
    let old: Place?
    let new: Place?
    /// Whether it has other values than before.
    let isChanged: Bool
  }

  /// The sections of both lists. A section has a partner where both lists have it and it is not named as one that goes and comes.
  private struct Sections {
    let newOfOld: [Int?]
    let oldOfNew: [Int?]
    let moved: [ListChanges.Move<Int>]

    /// - Parameter apart: those that go and come, by their numbers in the list before.
    init(_ old: [Scalar], _ new: [Scalar], apart: Set<Int> = []) {
      let numbers = Dictionary(new.indices.map { (new[$0], $0) }, uniquingKeysWith: { first, _ in first })
      let newOfOld = old.indices.map { apart.contains($0) ? nil : numbers[old[$0]] }
      var oldOfNew = [Int?](repeating: nil, count: new.count)
      for (number, partner) in newOfOld.enumerated() { if let partner { oldOfNew[partner] = number } }
      let common = newOfOld.enumerated().compactMap { number, partner in partner.map { ListChanges.Move(from: number, to: $0) } }
      let standing = longestIncreasing(common.map(\.to))
      (self.newOfOld, self.oldOfNew) = (newOfOld, oldOfNew)
      moved = common.indices.filter { !standing.contains($0) }.map { common[$0] }
    }
  }

  /// The differences.
  /// - Parameters:
  ///   - old: the values of the sections before.
  ///   - new: those of the sections now.
  ///   - rows: the rows that are examined, none of them twice.
  static func changes(from old: [Scalar], to new: [Scalar], of rows: [Row]) -> ListChanges {
    var apart: Set<Int> = []
    while true {
      let sections = Sections(old, new, apart: apart)
      let (changes, stirred) = changes(of: rows, in: sections)
      // Views do not take rows that come, go or move in a section that moves.
      let both = sections.moved.map(\.from).filter(stirred.contains)
      if both.isEmpty { return changes }
      apart.formUnion(both)
    }
  }

  /// - Returns: the differences, and the sections in which rows come, go or move, by their numbers in the list before.
  private static func changes(of rows: [Row], in sections: Sections) -> (changes: ListChanges, stirred: Set<Int>) {
    var changes = ListChanges()
    changes.deletedSections = IndexSet(sections.newOfOld.indices.filter { sections.newOfOld[$0] == nil })
    changes.insertedSections = IndexSet(sections.oldOfNew.indices.filter { sections.oldOfNew[$0] == nil })
    changes.movedSections = sections.moved
    var stirred: Set<Int> = []
    let standing = standingRows(rows, in: sections)
    for (number, row) in rows.enumerated() {
      // Where its section goes or comes, the row goes or comes with it.
      let old = row.old.flatMap { sections.newOfOld[$0.section] == nil ? nil : $0 }
      let new = row.new.flatMap { sections.oldOfNew[$0.section] == nil ? nil : $0 }
      if standing.contains(number) {
        if row.isChanged, let new { changes.updated.append(new.path) }
        continue
      }
      if let old { stirred.insert(old.section) }
      if let new, let section = sections.oldOfNew[new.section] { stirred.insert(section) }
      switch (old, new) {
      case (let old?, let new?): changes.moved.append(ListChanges.Move(from: old.path, to: new.path))
      case (let old?, nil): changes.deleted.append(old.path)
      case (nil, let new?): changes.inserted.append(new.path)
      case (nil, nil): break
      }
    }
    changes.deleted.sort()
    changes.inserted.sort()
    changes.updated.sort()
    changes.moved.sort { $0.from < $1.from }
    return (changes, stirred)
  }

  /// The examined rows that stay where they are: as many as possible, since all others are named as moved.
  private static func standingRows(_ rows: [Row], in sections: Sections) -> Set<Int> {
    // How many rows that are not examined stand before each: it is the same in both lists where a row does not move past one of them.
    let (oldRanks, newRanks) = (ranks(rows.map(\.old)), ranks(rows.map(\.new)))
    var gaps: [Place: [(number: Int, old: Int, new: Int)]] = [:]
    for (number, row) in rows.enumerated() {
      guard let old = row.old, let new = row.new, sections.newOfOld[old.section] == new.section, oldRanks[number] == newRanks[number]
      else { continue }
      gaps[Place(section: old.section, row: oldRanks[number]), default: []].append((number, old.row, new.row))
    }
    var standing: Set<Int> = []
    for gap in gaps.values {
      let inOrder = gap.sorted { $0.old < $1.old }
      for index in longestIncreasing(inOrder.map(\.new)) { standing.insert(inOrder[index].number) }
    }
    return standing
  }

  /// Of each examined row, the number of those in its section before it that are not examined.
  private static func ranks(_ places: [Place?]) -> [Int] {
    var ranks = [Int](repeating: 0, count: places.count)
    let inOrder = places.indices.compactMap { number in places[number].map { (number, $0) } }.sorted {
      ($0.1.section, $0.1.row) < ($1.1.section, $1.1.row)
    }
    var (section, examined) = (-1, 0)
    for (number, place) in inOrder {
      if place.section != section { (section, examined) = (place.section, 0) }
      ranks[number] = place.row - examined
      examined += 1
    }
    return ranks
  }
}

/// The indices of a longest part of some different numbers that increases.
private func longestIncreasing(_ numbers: [Int]) -> Set<Int> {
  // For each length, the index of the smallest number that ends a part of that length
  // (en.wikipedia.org/wiki/Longest_increasing_subsequence).
  var ends: [Int] = []
  var before = [Int?](repeating: nil, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    let length = ends.partitioningIndex { numbers[$0] > number }
    before[index] = length > 0 ? ends[length - 1] : nil
    if length == ends.count { ends.append(index) } else { ends[length] = index }
  }
  var found: Set<Int> = []
  var next = ends.last
  while let index = next {
    found.insert(index)
    next = before[index]
  }
  return found
}
