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
/// It is a value: what is shown stays as it is until the next one is taken, whatever is committed meanwhile. As a collection it has all
/// rows, those of each section after those of the section before.
public struct FetchedResults<E: Entity>: Sendable {
  /// The sections in the order of their first rows; one, which may be empty, where the list has none.
  public let sections: [FetchedSection<E>]
  /// How it differs from the result before; nil where everything is to be shown anew: at first, and after more changes than the list
  /// reports one by one.
  public let changes: ListChanges?

  /// What reads it.
  let query: FetchedQuery<E>
  // The position of each section's first row, and the position after the last row.
  private let starts: [Int]

  init(_ sections: [FetchedSection<E>], changes: ListChanges?, of query: FetchedQuery<E>) {
    self.sections = sections
    self.changes = changes
    self.query = query
    var starts = [0]
    starts.reserveCapacity(sections.count + 1)
    for section in sections { starts.append(starts[starts.count - 1] + section.rows.count) }
    self.starts = starts
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
  /// - Parameter rows: the changed rows since it was read, in the order of their changes.
  /// - Throws: an error where they do not tell what the list is now: it has to be read again.
  package func patched(by rows: [ChangedRow]) throws -> FetchedResults? {
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
    let section = starts.partitioningIndex { $0 > position } - 1
    return sections[section].rows[position - starts[section]]
  }
}
