import Foundation

/// A list that follows the commits: its rows in their order, in sections, and how it differs from the one before.
///
/// ```swift
/// let byCountry = SearchCriteria<City>.all.order(by: \.country, \.name)
/// for try await cities in dao.fetchedResults(byCountry, sections: \.country) {
///   guard let changes = cities.changes else { reload(cities); continue }
///   apply(changes, cities)
/// }
/// ```
///
/// A list is a value: what is shown stays as it is until the next one is taken, whatever is committed meanwhile. As a collection it has all
/// rows, those of each section after those of the section before.
public struct FetchedResults<E: Entity>: Sendable {
  /// The sections in the order of their first rows; one, which may be empty, where the list has none.
  public let sections: [FetchedSection<E>]
  /// How it differs from the result before; nil where everything is to be shown anew: at first, and after more changes than the list
  /// reports one by one.
  public let changes: ListChanges?

  /// Whether there are rows before those of the window; false of a list without one.
  public let hasRowsBefore: Bool
  /// Whether there are rows after those of the window; false of a list without one.
  public let hasRowsAfter: Bool

  /// The query that reads it.
  let query: FetchedQuery<E>
  // The part of a long list that it is.
  private let window: ListWindow?
  // The position of each section's first row, and the position after the last row.
  private let starts: [Int]

  init(
    _ sections: [FetchedSection<E>], changes: ListChanges?, of query: FetchedQuery<E>, _ window: ListWindow? = nil,
    hasRowsBefore: Bool = false, hasRowsAfter: Bool = false
  ) {
    (self.sections, self.changes, self.query) = (sections, changes, query)
    (self.window, self.hasRowsBefore, self.hasRowsAfter) = (window, hasRowsBefore, hasRowsAfter)
    var starts = [0]
    starts.reserveCapacity(sections.count + 1)
    for section in sections { starts.append(starts[starts.count - 1] + section.rows.count) }
    self.starts = starts
  }

  /// The same list with other differences.
  func with(_ changes: ListChanges?) -> FetchedResults {
    FetchedResults(sections, changes: changes, of: query, window, hasRowsBefore: hasRowsBefore, hasRowsAfter: hasRowsAfter)
  }

  /// Slides the window of a long list, where a row that is shown lies in its first or last quarter and there are rows beyond: the loop
  /// gets the list with this row in the middle, and its differences. Call it with the first and the last row that a view shows. A list
  /// without a window has nothing to slide.
  public func slide(to position: Int) {
    guard let window, indices.contains(position) else { return }
    let (section, row) = find(position)
    let isNearStart = position <= count / 4
    let isNearEnd = position >= count - count / 4 - 1
    if isNearStart && hasRowsBefore || isNearEnd && hasRowsAfter { window.slide(to: sections[section].rows.row(at: row).place) }
  }

  /// The row at a place: section and row.
  public subscript(path: IndexPath) -> E { sections[path[0]].rows[path[1]] }

  /// The place of the row with a key; nil where the list does not have it. Goes through the rows.
  public func indexPath(of key: E.PrimaryKey) -> IndexPath? {
    for (number, section) in sections.enumerated() {
      if let row = section.rows.firstIndex(where: { $0.primaryKey == key }) { return [number, row] }
    }
    return nil
  }
}

extension FetchedResults {
  /// The list after changes of rows; nil where it is the same.
  /// - Parameters:
  ///   - rows: the changed rows since it was read, in the order of their changes.
  ///   - criteria: the query as it is now.
  ///   - target: the rows that are visible now.
  /// - Throws: an error where they do not tell what the list is now: it has to be read again.
  package func patched(by rows: [ChangedRow], of criteria: Criteria, in target: EntityTarget) throws -> FetchedResults? {
    guard criteria == query.criteria, target.scope == query.target.scope else { throw ListPatch<E>.Undecided() }
    var patch = try ListPatch(self, query)
    for row in rows { try patch.apply(row) }
    return try patch.results()
  }

  /// A list that was read again, with its differences from this one; nil where there are none.
  package func compare(to new: FetchedResults) -> FetchedResults? { query.compare(self, new) }
}

extension FetchedResults: RandomAccessCollection {
  /// The position of the first row.
  public var startIndex: Int { 0 }
  /// The position after the last row.
  public var endIndex: Int { starts[starts.count - 1] }

  /// The row at a position in the whole list.
  public subscript(position: Int) -> E {
    let (section, row) = find(position)
    return sections[section].rows[row]
  }

  private func find(_ position: Int) -> (section: Int, row: Int) {
    let section = starts.partitioningIndex { $0 > position } - 1
    return (section, position - starts[section])
  }
}
