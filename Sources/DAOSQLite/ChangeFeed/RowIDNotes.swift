import DAOCriteria

/// The latest changes of one table whose rows are known by their row ids, in memory that the pre-update hook fills without a call.
///
/// It holds those of the table of the last change, and hands them on when it is full, when another table changes, and when they are asked
/// for.
struct RowIDNotes {
  static let capacity = 512

  private(set) var schema: UnsafePointer<CChar>?
  private(set) var table: UnsafePointer<CChar>?
  private(set) var columnCount: CInt = 0
  private(set) var entity = 0
  private(set) var count = 0
  private let kinds: UnsafeMutablePointer<NotedRows.Kind>
  private let keys: UnsafeMutablePointer<Int64>

  init() {
    kinds = .allocate(capacity: Self.capacity)
    keys = .allocate(capacity: Self.capacity)
  }

  func deallocate() {
    kinds.deallocate()
    keys.deallocate()
  }

  /// Takes the next changes of a table, which SQLite names by these addresses.
  mutating func begin(_ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>, _ columnCount: CInt, _ entity: Int) {
    (self.schema, self.table, self.columnCount, self.entity) = (schema, table, columnCount, entity)
  }

  /// Takes none.
  mutating func end() { (schema, table) = (nil, nil) }

  /// Notes a change; false where it is of another table, or there is no room.
  @inline(__always)
  mutating func note(
    _ operation: CInt, _ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>, _ columnCount: CInt, _ old: Int64, _ new: Int64
  ) -> Bool {
    guard table == self.table, schema == self.schema, columnCount == self.columnCount, count < Self.capacity - 1 else { return false }
    if operation == insert {
      append(.insert, new)
    } else if operation == delete {
      append(.delete, old)
    } else if old == new {
      append(.update, new)
    } else {
      append(.delete, old)
      append(.insert, new)
    }
    return true
  }

  /// Hands the changes on.
  mutating func flush(into rows: inout [NotedRows]) {
    if count == 0 { return }
    rows[entity].append(UnsafeBufferPointer(start: kinds, count: count), keys: UnsafeBufferPointer(start: keys, count: count))
    count = 0
  }

  @inline(__always)
  private mutating func append(_ kind: NotedRows.Kind, _ key: Int64) {
    kinds[count] = kind
    keys[count] = key
    count += 1
  }
}

// SQLITE_INSERT and SQLITE_DELETE.
private let (insert, delete): (CInt, CInt) = (18, 9)
