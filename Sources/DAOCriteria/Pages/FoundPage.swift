import Foundation

/// A page as a store has read it.
public struct FoundPage<E: Entity>: Sendable {
  /// The entities.
  public let items: [E]
  /// Where they begin and end.
  public let ends: PageEnds

  /// A page.
  public init(_ items: [E], _ ends: PageEnds) {
    self.items = items
    self.ends = ends
  }
}

/// Where a page begins and ends. A place is the values of the order's terms, those of the key included, in stored form.
public struct PageEnds: Sendable, Hashable {
  /// How many rows the page has.
  public let count: Int
  /// The first row's place; nil where the page is the criteria's first, or empty.
  public let first: [StoredValue]?
  /// The last row's place; nil where the page is not full.
  public let last: [StoredValue]?
  /// Whether the criteria finds a row after the page's.
  public let hasMore: Bool

  /// The ends of a page.
  public init(count: Int, first: [StoredValue]?, last: [StoredValue]?, hasMore: Bool) {
    self.count = count
    self.first = first
    self.last = last
    self.hasMore = hasMore
  }
}

/// What a page's criteria carries through ``DAO/findAll(_:)`` to the store, so that an override of `findAll` governs pages too and yet can't
/// mislead them: where a page ends is told by the rows that were read, not by the entities that the override makes of them.
package final class PageMarks: @unchecked Sendable, Hashable {
  package let size: Int
  private let lock = NSLock()
  // Guarded by the lock.
  private var known: PageEnds?

  package init(size: Int) { self.size = size }

  /// Where the page ended; nil where no store was asked.
  package var ends: PageEnds? { lock.withLock { known } }

  /// Tells where the page ended.
  /// - Throws: ``DAOError/misuse(_:use:)`` for a second time: two pages in one would hide what is beyond the first.
  package func tell(_ ends: PageEnds) throws {
    try lock.withLock {
      guard known == nil else {
        throw DAOError.misuse(
          "an override of findAll asked for a page's rows twice", use: "super.findAll once, with the criteria that it was given")
      }
      known = ends
    }
  }

  package static func == (left: PageMarks, right: PageMarks) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
