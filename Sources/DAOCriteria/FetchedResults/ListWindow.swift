import Foundation

/// The part of a long list that one loop keeps.
final class ListWindow: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock: the place of the row in the middle; nil for the first rows.
  private var middle: [StoredValue]?
  private let state: LiveQueryState

  init(_ state: LiveQueryState) { self.state = state }

  /// The place of the row in the middle; nil for the first rows.
  var place: [StoredValue]? { lock.withLock { middle } }

  /// Slides to a place: the loop reads the rows there.
  func slide(to place: [StoredValue]) {
    lock.withLock { middle = place }
    state.mark()
  }
}
