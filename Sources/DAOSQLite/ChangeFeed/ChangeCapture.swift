import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import GRDBSQLite

/// Notes the rows that one connection changes, while somebody follows them: by the pre-update hook, or where SQLite has none by temporary
/// triggers.
final class ChangeCapture {
  let interest: ChangeInterest
  private let connection: OpaquePointer
  private let functions: PreUpdateFunctions?
  private var tables: [CapturedTable]
  // The positions of entities over virtual tables.
  private var unseen: Set<Int>
  /// The number that the file had for the schema before it was read.
  var schemaVersion: Int64?
  private var rows: [NotedRows]
  /// Whether the schema has changed within the transaction, so that another one is back where that is rolled back.
  var isOfNewSchema = false
  /// Whether the statement that runs may delete rows by REPLACE, which no trigger sees.
  var mayReplace = false
  // The table of the last change, which is mostly that of the next too.
  private var lastName: [CChar] = [0]
  private var lastTable: CapturedTable?
  // What the hook fills itself, and what it is called with.
  private let latest: UnsafeMutablePointer<RowIDNotes>
  private var hookContext: UnsafeMutablePointer<HookContext>?

  /// Begins to note. The connection must outlive this.
  /// - Parameters:
  ///   - functions: the pre-update hook's; nil for triggers.
  ///   - database: the connection's.
  init(_ interest: ChangeInterest, _ functions: PreUpdateFunctions?, of connection: OpaquePointer, in database: Database) throws {
    self.interest = interest
    self.functions = functions
    self.connection = connection
    (tables, unseen) = try CapturedTable.tables(of: interest, in: database)
    rows = interest.entities.map { _ in NotedRows() }
    latest = .allocate(capacity: 1)
    latest.initialize(to: RowIDNotes())
    if let functions {
      let context = UnsafeMutablePointer<HookContext>.allocate(capacity: 1)
      context.initialize(to: HookContext(capture: .passUnretained(self), latest: latest, count: functions.count))
      hookContext = context
      _ = functions.hook(connection, note, context)
    } else {
      try installTriggers(in: database)
    }
  }

  /// Those of an installation that fails call nobody.
  private func installTriggers(in database: Database) throws {
    do { try ChangeTriggers.install(for: tables, in: database, Unmanaged.passUnretained(self).toOpaque()) } catch {
      ChangeTriggers.uninstall(from: database)
      throw error
    }
  }

  deinit {
    latest.pointee.deallocate()
    latest.deallocate()
    hookContext?.deallocate()
  }

  /// Lets the schema change, which a trigger over a column that goes would refuse, until it is read again.
  func standAside(in database: Database) { if functions == nil { ChangeTriggers.uninstall(from: database) } }

  /// Ends it.
  func end(in database: Database) {
    if let functions { _ = functions.hook(connection, nil, nil) } else { ChangeTriggers.uninstall(from: database) }
  }

  /// Goes by the schema as it is now.
  /// - Parameter isNew: whether a rollback would bring another one back.
  func read(_ database: Database, isNew: Bool) throws {
    flushAll()
    (tables, unseen) = try CapturedTable.tables(of: interest, in: database)
    (lastName, lastTable) = ([0], nil)
    isOfNewSchema = isNew
    if functions == nil {
      ChangeTriggers.uninstall(from: database)
      try installTriggers(in: database)
    }
  }

  // MARK: What was noted

  /// How much was noted, by entity.
  var mark: [NotedRows.Mark] {
    flush()
    return rows.map(\.mark)
  }

  /// Whether something was noted since a mark.
  func hasNoted(since mark: [NotedRows.Mark]) -> Bool {
    flush()
    return zip(rows, mark).contains { $0.hasNoted(since: $1) }
  }

  /// Forgets what was noted since a mark, since it was rolled back.
  func forget(since mark: [NotedRows.Mark]) {
    flushAll()
    for index in rows.indices { rows[index].forget(since: mark[index]) }
  }

  /// Makes of what was noted since a mark that unknown rows changed.
  func markUnknown(since mark: [NotedRows.Mark]) {
    flush()
    for index in rows.indices where rows[index].hasNoted(since: mark[index]) {
      rows[index].forget(since: mark[index])
      rows[index].noteUnknown()
    }
  }

  /// Notes that rows of all entities may be others: the schema was changed.
  func markAllUnknown() { for index in rows.indices { rows[index].noteUnknown() } }

  /// Notes that rows changed, which may be those of a virtual table.
  func noteUnseen() { for index in unseen { rows[index].noteUnknown() } }

  /// Forgets all.
  func forget() {
    flushAll()
    rows = rows.map { _ in NotedRows() }
  }

  private func flush() { latest.pointee.flush(into: &rows) }

  /// The same, where the schema may have been read again since: a table's name may have another address then, and its own another table.
  private func flushAll() {
    flush()
    latest.pointee.end()
  }

  /// What was noted, by entity.
  func take() -> [ChangedRows] {
    flushAll()
    var result: [ChangedRows] = []
    for (index, followed) in interest.entities.enumerated() where !rows[index].isEmpty {
      if let changed = ChangedRows(rows[index], of: followed) { result.append(changed) }
      rows[index] = NotedRows()
    }
    return result
  }

  // MARK: Noting

  /// Notes what a trigger has seen.
  /// - Parameters:
  ///   - old: the key's values before; nil of a new row.
  ///   - new: those after; nil of a deleted row.
  ///   - changed: the attributes that changed, by their positions.
  func noteChange(_ entity: Int, old: [StoredValue]?, new: [StoredValue]?, changed: [Int]) {
    if mayReplace, new != nil { rows[entity].noteUnknown() }
    guard let target = tables.lazy.flatMap(\.targets).first(where: { $0.entity == entity }) else { return }
    func append(_ kind: NotedRows.Kind, _ key: [StoredValue], _ changed: AttributeSet = AttributeSet()) {
      if key.contains(.null) { return rows[entity].noteUnknown() }
      if case .rowID = target.key, case .integer(let number) = key[0] {
        rows[entity].append(kind, key: number)
      } else {
        rows[entity].append(kind, key: key)
      }
      if !target.attributes.isEmpty { rows[entity].append(changed: changed) }
    }
    if let old, let new, old == new {
      var set = AttributeSet()
      for position in changed { set.insert(position) }
      if target.attributes.isEmpty || !set.isEmpty { append(.update, new, set) }
      return
    }
    if let old { append(.delete, old) }
    if let new { append(.insert, new) }
  }

  /// Notes that unknown rows changed.
  func noteUnknown(_ entity: Int) { rows[entity].noteUnknown() }

  fileprivate func noteChange(
    _ operation: CInt, _ schema: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ oldRowID: Int64, _ newRowID: Int64
  ) {
    flushAll()
    guard strcmp(schema, "main") == 0 else { return }
    if strcmp(name, lastName) != 0 {
      lastName = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
      let isSearched = String(cString: name)
      lastTable = tables.first { $0.name.utf8.elementsEqual(isSearched.utf8) }
    }
    guard let table = lastTable, let functions else { return }
    let columnCount = functions.count(connection)
    let isAsKnown = columnCount == table.columnCount
    if isAsKnown, table.targets.count == 1, let target = table.targets.first, target.attributes.isEmpty, target.row.isEmpty,
      case .rowID = target.key
    {
      latest.pointee.begin(schema, name, columnCount, target.entity)
    }
    for target in table.targets {
      guard let key = target.key, isAsKnown else {
        rows[target.entity].noteUnknown()
        continue
      }
      switch operation {
      case SQLITE_INSERT: append(target, .insert, key, newRowID, functions.new, row(target, nil, functions.new))
      case SQLITE_DELETE: append(target, .delete, key, oldRowID, functions.old, row(target, functions.old, nil))
      default: noteUpdate(target, key, oldRowID, newRowID, functions)
      }
    }
  }

  private func noteUpdate(
    _ target: CapturedTable.Target, _ key: CapturedTable.Key, _ oldRowID: Int64, _ newRowID: Int64, _ functions: PreUpdateFunctions
  ) {
    guard isSameKey(key, oldRowID, newRowID, functions) else {
      append(target, .delete, key, oldRowID, functions.old, row(target, functions.old, nil))
      append(target, .insert, key, newRowID, functions.new, row(target, nil, functions.new))
      return
    }
    if target.attributes.isEmpty {
      return append(target, .update, key, newRowID, functions.new, row(target, functions.old, functions.new))
    }
    var changed = AttributeSet()
    var computed = AttributeSet()
    for (position, column) in target.attributes.enumerated() {
      guard let column else {
        computed.insert(position)
        continue
      }
      if hasChanged(column.position, functions, hasDefault: column.hasDefault) { changed.insert(position) }
    }
    if changed.isEmpty && computed.isEmpty { return }
    changed.formUnion(computed)
    append(target, .update, key, newRowID, functions.new, row(target, functions.old, functions.new), changed)
  }

  private func append(
    _ target: CapturedTable.Target, _ kind: NotedRows.Kind, _ key: CapturedTable.Key, _ rowID: Int64, _ value: PreUpdateFunctions.Value,
    _ row: ChangedRow?, _ changed: AttributeSet = AttributeSet()
  ) {
    switch key {
    case .rowID: rows[target.entity].append(kind, key: rowID)
    case .columns(let columns):
      let key = columns.map { StoredValue(sqlite: self.value($0, value)).wholeNumber }
      // Several rows may have it.
      if key.contains(.null) { return rows[target.entity].noteUnknown() }
      rows[target.entity].append(kind, key: key)
    }
    if !target.attributes.isEmpty { rows[target.entity].append(changed: changed) }
    if let row { rows[target.entity].append(row) }
  }

  /// The row before and after a change, where it is wanted.
  private func row(
    _ target: CapturedTable.Target, _ before: PreUpdateFunctions.Value?, _ after: PreUpdateFunctions.Value?
  ) -> ChangedRow? {
    guard !target.row.isEmpty, rows[target.entity].takesRow else { return nil }
    return ChangedRow(
      before: before.map { read in target.row.map { $0.flatMap { known($0, read, isOld: true) } } },
      after: after.map { read in target.row.map { $0.flatMap { known($0, read, isOld: false) } } })
  }

  /// A value as the store will read it; nil where that is not known, or too long to note.
  private func known(_ column: CapturedTable.Column, _ read: PreUpdateFunctions.Value, isOld: Bool) -> StoredValue? {
    guard let value = value(column.position, read) else { return nil }
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return isOld && column.hasDefault ? nil : .null
    case SQLITE_INTEGER where column.isReal: return .real(sqlite3_value_double(value))
    case SQLITE_BLOB, SQLITE_TEXT:
      guard !column.isCollated, sqlite3_value_bytes(value) <= 1024 else { return nil }
      let stored = StoredValue(sqlite: value)
      // Bytes that are no text are read as others.
      if case .text(let text) = stored, let bytes = sqlite3_value_text(value),
        !text.utf8.elementsEqual(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
      {
        return nil
      }
      return stored
    default: return StoredValue(sqlite: value)
    }
  }

  private func isSameKey(
    _ key: CapturedTable.Key, _ oldRowID: Int64, _ newRowID: Int64, _ functions: PreUpdateFunctions
  ) -> Bool {
    switch key {
    case .rowID: oldRowID == newRowID
    case .columns(let columns): !columns.contains { hasChanged($0, functions) }
    }
  }

  private func value(_ column: CInt, _ read: PreUpdateFunctions.Value) -> OpaquePointer? {
    var value: OpaquePointer?
    return read(connection, column, &value) == SQLITE_OK ? value : nil
  }

  /// - Parameter hasDefault: whether null may stand for the default of a column that was added after the row (SQLite 3.40).
  private func hasChanged(_ column: CInt, _ functions: PreUpdateFunctions, hasDefault: Bool = false) -> Bool {
    guard let old = value(column, functions.old), let new = value(column, functions.new) else { return true }
    let type = sqlite3_value_type(old)
    if hasDefault, type == SQLITE_NULL { return true }
    guard type == sqlite3_value_type(new) else { return true }
    switch type {
    case SQLITE_NULL: return false
    case SQLITE_INTEGER: return sqlite3_value_int64(old) != sqlite3_value_int64(new)
    case SQLITE_FLOAT: return sqlite3_value_double(old) != sqlite3_value_double(new)
    default:
      // As they are stored: nothing is converted. The bytes come first, since they may move what counts them.
      let (oldBytes, newBytes) = (sqlite3_value_blob(old), sqlite3_value_blob(new))
      let count = sqlite3_value_bytes(old)
      guard count == sqlite3_value_bytes(new) else { return true }
      guard count > 0, let oldBytes, let newBytes else { return false }
      return memcmp(oldBytes, newBytes, Int(count)) != 0
    }
  }
}

/// What SQLite calls before it changes a row.
private let note: PreUpdateFunctions.Callback = { context, connection, operation, schema, table, oldRowID, newRowID in
  guard let context, let schema, let table else { return }
  let notes = context.assumingMemoryBound(to: HookContext.self)
  let columnCount = notes.pointee.count(connection)
  if notes.pointee.latest.pointee.note(operation, schema, table, columnCount, oldRowID, newRowID) { return }
  notes.pointee.capture.takeUnretainedValue().noteChange(operation, schema, table, oldRowID, newRowID)
}

/// What the hook is called with: reading it counts no references.
private struct HookContext {
  let capture: Unmanaged<ChangeCapture>
  let latest: UnsafeMutablePointer<RowIDNotes>
  let count: PreUpdateFunctions.Count
}
