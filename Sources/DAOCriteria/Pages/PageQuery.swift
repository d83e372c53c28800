import Foundation

/// A page that is asked for, and, once a store has answered, where it ends.
///
/// The page's criteria carries it through ``DAO/findAll(_:)`` to the store, so that an override of `findAll` governs pages too and yet can't
/// mislead them: where a page ends is told by the rows that were read, not by the entities that the override makes of them. The page's tokens
/// refer to it.
@usableFromInline package final class PageQuery: @unchecked Sendable {
  /// What it is a page of, as far as filter and orders tell.
  let criteria: Criteria
  let target: EntityTarget
  package let size: Int
  // One for all: it is held for an instant, and to make one takes longer than all else here.
  private static let lock = NSLock()
  // Guarded by the lock.
  private var known: PageEnds?

  package init(_ criteria: Criteria, in target: EntityTarget, size: Int) {
    self.criteria = criteria
    self.target = target
    self.size = size
  }

  /// Where the page ended; nil where no store was asked.
  package var ends: PageEnds? { Self.lock.withLock { known } }

  /// Tells where the page ended.
  /// - Throws: ``DAOError/misuse(_:use:)`` for a second time: two pages in one would hide what is beyond the first.
  package func tell(_ ends: PageEnds) throws {
    try Self.lock.withLock {
      guard known == nil else {
        throw DAOError.misuse(
          "an override of findAll asked for a page's rows twice", use: "super.findAll once, with the criteria that it was given")
      }
      known = ends
    }
  }
}

extension PageQuery: Hashable {
  @usableFromInline package static func == (left: PageQuery, right: PageQuery) -> Bool { left === right }

  @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
