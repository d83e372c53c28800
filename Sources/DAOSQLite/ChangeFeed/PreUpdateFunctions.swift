import Foundation
import GRDBSQLite

/// SQLite's pre-update hook (sqlite.org/c3ref/preupdate_blobwrite.html): called before each row that changes, cascades, triggers, REPLACE
/// and tables `WITHOUT ROWID` included. Apple's SQLite has it and its header does not, so it is looked up when it is needed.
struct PreUpdateFunctions: Sendable {
  typealias Callback =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ operation: CInt, _ schema: UnsafePointer<CChar>?,
      _ table: UnsafePointer<CChar>?, _ oldRowID: Int64, _ newRowID: Int64
    ) -> Void
  typealias Hook = @convention(c) (OpaquePointer?, Callback?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  typealias Value = @convention(c) (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> CInt
  typealias Count = @convention(c) (OpaquePointer?) -> CInt

  /// Sets the callback, or takes it away.
  let hook: Hook
  /// A column's value before the change, by its position in the stored row.
  let old: Value
  /// A column's value after the change.
  let new: Value
  /// How many columns a stored row has.
  let count: Count

  /// Those of the SQLite that this process runs; nil where it has none.
  static let ofSystem: PreUpdateFunctions? = {
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    func address(_ name: String) -> UnsafeMutableRawPointer? { dlsym(everywhere, name) }
    // A process may hold a second SQLite, whose functions know nothing of our connections.
    let own: @convention(c) () -> CInt = sqlite3_libversion_number
    guard address("sqlite3_libversion_number") == unsafeBitCast(own, to: UnsafeMutableRawPointer.self),
      let hook = address("sqlite3_preupdate_hook"), let old = address("sqlite3_preupdate_old"), let new = address("sqlite3_preupdate_new"),
      let count = address("sqlite3_preupdate_count")
    else { return nil }
    return PreUpdateFunctions(
      hook: unsafeBitCast(hook, to: Hook.self), old: unsafeBitCast(old, to: Value.self), new: unsafeBitCast(new, to: Value.self),
      count: unsafeBitCast(count, to: Count.self))
  }()
}
