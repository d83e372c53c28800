import Foundation

/// The net effect of what a transaction has noted of one entity. It is found out when somebody first asks for it: the thread that writes
/// waits for nobody.
final class NetChanges: @unchecked Sendable {
  /// The rows by what has become of them.
  struct Rows: Sendable {
    var inserted: ChangedKeys
    var updated: ChangedKeys
    var deleted: ChangedKeys
    /// The changed attributes of each updated row, where they were noted.
    var attributes: [AttributeSet]?

    var count: Int { inserted.count + updated.count + deleted.count }
  }

  /// How many changes were noted.
  let changeCount: Int
  private let attributeCount: Int?
  private let lock = NSLock()
  // Guarded by the lock, as is the one below. Nil once the rows are found out.
  private var noted: NotedRows?
  private var found: Rows?

  /// - Parameter attributeCount: how many attributes the entity has, where the changed ones were noted.
  init(of noted: NotedRows, attributeCount: Int?) {
    self.noted = noted
    self.attributeCount = attributeCount
    changeCount = noted.count
  }

  /// The rows.
  var rows: Rows {
    lock.withLock {
      if let found { return found }
      let rows = (noted ?? NotedRows()).net(attributeCount: attributeCount)
      (found, noted) = (rows, nil)
      return rows
    }
  }
}
