#if canImport(UIKit) && !os(watchOS)
  import DAOCriteria
  import UIKit

  extension UICollectionView {
    /// Shows the next list: its differences as one batch, or all of it where it has none.
    ///
    /// ```swift
    /// for try await list in dao.fetchedResults(byName, sections: \.country) { collectionView.apply(list.changes) { shown = list } }
    /// ```
    /// - Parameters:
    ///   - changes: those of the list to the one that is shown.
    ///   - take: has the data source answer by the next list.
    public func apply(_ changes: ListChanges?, _ take: @escaping () -> Void) {
      guard let changes else {
        take()
        return reloadData()
      }
      performBatchUpdates { [self] in
        take()
        deleteSections(changes.deletedSections)
        insertSections(changes.insertedSections)
        for move in changes.movedSections { moveSection(move.from, toSection: move.to) }
        deleteItems(at: changes.deleted)
        insertItems(at: changes.inserted)
        for move in changes.moved { moveItem(at: move.from, to: move.to) }
      }
      // In the batch a row can't both move and change.
      reconfigureItems(at: changes.updated + changes.moved.map(\.to))
    }
  }
#endif
