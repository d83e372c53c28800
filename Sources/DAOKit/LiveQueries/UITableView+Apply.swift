#if canImport(UIKit) && !os(watchOS)
  import DAOCriteria
  import UIKit

  extension UITableView {
    /// Shows the next list: its differences as one batch, or all of it where it has none.
    ///
    /// ```swift
    /// for try await list in dao.fetchedResults(byName, sections: \.country) { tableView.apply(list.changes) { shown = list } }
    /// ```
    /// - Parameters:
    ///   - changes: those of the list to the one that is shown.
    ///   - animation: how rows and sections come and go.
    ///   - take: has the data source answer by the next list.
    public func apply(_ changes: ListChanges?, with animation: RowAnimation = .automatic, _ take: @escaping () -> Void) {
      guard let changes else {
        take()
        return reloadData()
      }
      performBatchUpdates { [self] in
        take()
        deleteSections(changes.deletedSections, with: animation)
        insertSections(changes.insertedSections, with: animation)
        for move in changes.movedSections { moveSection(move.from, toSection: move.to) }
        deleteRows(at: changes.deleted, with: animation)
        insertRows(at: changes.inserted, with: animation)
        for move in changes.moved { moveRow(at: move.from, to: move.to) }
      }
      // In the batch a row can't both move and change.
      reconfigureRows(at: changes.updated + changes.moved.map(\.to))
    }
  }
#endif
