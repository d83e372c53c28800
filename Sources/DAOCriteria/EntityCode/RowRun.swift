import Foundation

/// The row on which a statement stands, as a number that no other row of any statement has.
///
/// Readers, cells and cursors keep the number of the row that they were made for, and compare it before they call the engine: one that is
/// kept beyond its row throws ``DAOError/misuse(_:use:)``, and reads neither another row nor freed memory.
@_documentation(visibility: internal)
public final class RowRun {
  // One thread at a time uses a statement, which makes it needless that each access is watched for another at the same time.
  @exclusivity(unchecked) @usableFromInline var row: Int

  /// The rows of one statement.
  public init() { row = Self.numbers.next() }

  /// Begins another row, or ends the run.
  @inlinable @inline(__always)
  public func leaveRow() { row &+= 1 }

  @usableFromInline static var rowKept: DAOError {
    .misuse("a row was read after its statement had left it", use: "the values that were read of it; the row ends with its closure")
  }

  private static let numbers = Numbers()

  /// Numbers that are so far apart that the rows of statements do not meet.
  private final class Numbers: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by the lock.
    private var last = 0

    func next() -> Int {
      lock.withLock {
        last &+= 1 << 40
        return last
      }
    }
  }
}

// A statement belongs to one thread at a time.
@available(*, unavailable)
extension RowRun: Sendable {}
