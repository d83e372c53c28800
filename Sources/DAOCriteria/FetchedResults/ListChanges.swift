import Foundation

/// How a list differs from the one before it, as `UICollectionView`, `UITableView` and `NSCollectionView` need it.
///
/// What goes, and where a row moves from, is named by its place in the list before; what comes, and where a row moves to, by its place in
/// the new list. All of it is one batch, in which nothing is named twice:
///
/// ```swift
/// collectionView.performBatchUpdates {
///   shown = results
///   collectionView.deleteSections(changes.deletedSections)
///   collectionView.insertSections(changes.insertedSections)
///   for move in changes.movedSections { collectionView.moveSection(move.from, toSection: move.to) }
///   collectionView.deleteItems(at: changes.deleted)
///   collectionView.insertItems(at: changes.inserted)
///   for move in changes.moved { collectionView.moveItem(at: move.from, to: move.to) }
/// }
/// collectionView.reconfigureItems(at: changes.updated)
/// ```
///
/// Rows of a section that goes or comes are not named by themselves. A section that moves while rows come, go or move in it is named as one
/// that goes and comes: views do not take both at once.
public struct ListChanges: Sendable, Hashable {
  /// The sections that are gone, by their numbers in the list before.
  public internal(set) var deletedSections: IndexSet
  /// The new sections, by their numbers in the new list.
  public internal(set) var insertedSections: IndexSet
  /// The sections that changed places with others.
  public internal(set) var movedSections: [Move<Int>]
  /// The rows that are gone, by their places in the list before: section and row.
  public internal(set) var deleted: [IndexPath]
  /// The new rows, by their places in the new list.
  public internal(set) var inserted: [IndexPath]
  /// The rows that changed places with others, whether other values of them changed or not.
  public internal(set) var moved: [Move<IndexPath>]
  /// The rows that changed and are where they were, by their places in the new list.
  public internal(set) var updated: [IndexPath]

  /// A change of places.
  public struct Move<Place: Sendable & Hashable>: Sendable, Hashable {
    /// The place in the list before.
    public let from: Place
    /// The place in the new list.
    public let to: Place

    package init(from: Place, to: Place) { (self.from, self.to) = (from, to) }
  }

  package init(
    deletedSections: IndexSet = [], insertedSections: IndexSet = [], movedSections: [Move<Int>] = [], deleted: [IndexPath] = [],
    inserted: [IndexPath] = [], moved: [Move<IndexPath>] = [], updated: [IndexPath] = []
  ) {
    (self.deletedSections, self.insertedSections, self.movedSections) = (deletedSections, insertedSections, movedSections)
    (self.deleted, self.inserted, self.moved, self.updated) = (deleted, inserted, moved, updated)
  }

  /// How many rows and sections are named.
  public var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count + deleted.count + inserted.count + moved.count + updated.count
  }

  /// Whether the lists are the same.
  public var isEmpty: Bool { count == 0 }
}
