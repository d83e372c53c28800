/// The store as a commit of a unit of work sees it, inside the transaction of the commit.
package protocol EditWriter: AnyObject {
  /// The row that has a key; nil where there is none.
  func row(_ key: [StoredValue], of table: EditedTable) throws -> [StoredValue]?

  /// The first of some keys that no row has, and that the store would generate next.
  func reserveKeys(_ count: Int, of table: EditedTable) throws -> Int64

  /// Has foreign keys checked when the transaction ends, since rows point to each other in a circle.
  func deferForeignKeys() throws

  /// Writes a row.
  /// - Returns: the error of a constraint that has refused it; other rows may have to be written before.
  /// - Throws: any other error.
  func write(_ write: EditWrite) throws -> DAOError?

  /// The error of a row that was refused for good, with what can be found out about it.
  func named(_ error: DAOError, of write: EditWrite) -> DAOError
}
