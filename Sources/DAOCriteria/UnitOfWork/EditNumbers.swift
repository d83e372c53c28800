import Foundation

/// The numbers that a unit of work and its children give: to edited rows, and to new rows until the store has generated their keys.
package final class EditNumbers: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var lastRow: Int64 = 0
  private var lastKeys: [SchemaName: Int64] = [:]

  package init() {}

  /// A number for an edited row.
  package func nextRow() -> Int64 {
    lock.withLock {
      lastRow += 1
      return lastRow
    }
  }

  /// A key for a new row of a table: a negative one that no row has.
  /// - Parameter lowest: the lowest key that a row of the table has.
  package func nextKey(of table: SchemaName, below lowest: Int64) -> Int64 {
    lock.withLock {
      let key = min(lastKeys[table] ?? 0, lowest, 0) - 1
      lastKeys[table] = key
      return key
    }
  }
}
