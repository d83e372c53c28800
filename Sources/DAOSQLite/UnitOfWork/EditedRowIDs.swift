import DAOCriteria
import GRDB
import GRDBSQLite

/// The rows that statements of a unit's connection have edited: the triggers of its views call `dao_touch(table, number)`, which notes the
/// number of an edit, or gives a row a new one where it is null, and returns it.
///
/// The connection's thread uses it.
final class EditedRowIDs {
  private let numbers: EditNumbers
  private var noted: [EditID] = []

  init(_ numbers: EditNumbers) { self.numbers = numbers }

  /// Makes the function known to a connection, which keeps this alive.
  func install(on handle: OpaquePointer) {
    let context = Unmanaged.passRetained(self).toOpaque()
    sqlite3_create_function_v2(
      handle, "dao_touch", 2, SQLITE_UTF8, context,
      { context, _, values in
        guard let pointer = sqlite3_user_data(context) else { return }
        let ids = Unmanaged<EditedRowIDs>.fromOpaque(pointer).takeUnretainedValue()
        let isNew = sqlite3_value_type(values?[1]) == SQLITE_NULL
        let number = isNew ? ids.numbers.nextRow() : sqlite3_value_int64(values?[1])
        ids.note(EditID(table: Int(sqlite3_value_int64(values?[0])), number: number))
        sqlite3_result_int64(context, number)
      }, nil, nil, { pointer in if let pointer { Unmanaged<EditedRowIDs>.fromOpaque(pointer).release() } })
  }

  /// How many edits were noted.
  var count: Int { noted.count }

  func note(_ id: EditID) { noted.append(id) }

  /// The rows noted since the last call, each once.
  func take() -> [EditID] {
    defer { noted.removeAll(keepingCapacity: true) }
    var seen: Set<EditID> = []
    return noted.filter { seen.insert($0).inserted }
  }
}
