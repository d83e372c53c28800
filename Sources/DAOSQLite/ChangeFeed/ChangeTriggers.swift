import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import GRDBSQLite

/// Temporary triggers that note changed rows where SQLite has no pre-update hook. No schema has them: they go with the connection.
///
/// They see all that the hook sees but the rows that REPLACE deletes (sqlite.org/lang_conflict.html). Where a table, or a trigger of the
/// store, or the statement that runs has that word, unknown rows of the table are noted besides.
enum ChangeTriggers {
  private static let function = "dao_noteChange"

  static func install(for tables: [CapturedTable], in database: Database, _ context: UnsafeMutableRawPointer) throws {
    // Not for statements alone, as the others are: triggers call it. That of a store would have to know the name.
    sqlite3_create_function_v2(
      database.sqliteConnection, function, -1, SQLITE_UTF8, context, { ChangeTriggers.call($0, Int($1), $2) }, nil, nil, nil)
    for (number, table) in tables.enumerated() {
      for target in table.targets { for sql in try triggers(target, of: table, number, in: database) { try database.run(sql) } }
    }
  }

  static func uninstall(from database: Database) {
    let names = try? database.bareRows(
      "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND name GLOB 'dao_noted_*'"
    ) { $0.text(0) }
    for name in names ?? [] { try? database.run("DROP TRIGGER temp.\(name.quotedIdentifier)") }
    sqlite3_create_function_v2(database.sqliteConnection, function, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  /// A trigger each for inserts, updates and deletes.
  private static func triggers(_ target: CapturedTable.Target, of table: CapturedTable, _ number: Int, in database: Database) throws
    -> [String]
  {
    let columns = try database.bareRows("PRAGMA main.table_xinfo(\(table.name.quotedIdentifier))") { row in
      (name: row.text(1).quotedIdentifier, isVirtual: row.integer(6) == 2, isKey: row.integer(5) > 0)
    }
    let stored = columns.filter { !$0.isVirtual }.map(\.name)
    let mayReplace =
      try database.bareRows(
        """
        SELECT EXISTS (
          SELECT 1 FROM main.sqlite_schema
          WHERE sql LIKE '%REPLACE%' AND (type = 'trigger' OR tbl_name = ? COLLATE NOCASE)
          UNION ALL
          SELECT 1 FROM temp.sqlite_schema WHERE sql LIKE '%REPLACE%' AND type = 'trigger' AND name NOT GLOB 'dao_noted_*')
        """, binding: [.text(table.name)]
      ) { $0.bool(0) } == [true]
    // A function takes 127 values.
    let isTooWide = target.attributes.count > 80
    let key: [String]? =
      switch target.key {
      case _ where isTooWide: nil
      case nil: nil
      case .rowID?: columns.first(where: \.isKey).map { [$0.name] }
      case .columns(let positions)?: positions.map { stored[Int($0)] }
      }
    func list(_ row: String) -> String { (key ?? []).map { ", \(row).\($0)" }.joined() }
    // The column's own collation would find two spellings equal.
    let changes = target.attributes.map { position in
      position.map { place in
        let name = stored[Int(place.position)]
        return ", old.\(name) COLLATE BINARY IS NOT new.\(name) OR typeof(old.\(name)) <> typeof(new.\(name))"
      } ?? ", 2"
    }
    func trigger(_ event: String, _ values: String) -> String {
      let arguments = "\(target.entity), '\(key == nil ? "ANY" : event)', \(mayReplace && event != "DELETE" ? 1 : 0)\(values)"
      return """
        CREATE TEMP TRIGGER dao_noted_\(target.entity)_\(number)_\(event) AFTER \(event) ON 'main'.\(table.name.quotedIdentifier)
        BEGIN SELECT \(function)(\(arguments)); END
        """
    }
    return [
      trigger("INSERT", list("new")), trigger("UPDATE", list("old") + list("new") + changes.joined()), trigger("DELETE", list("old")),
    ]
  }

  private static func call(_ context: OpaquePointer?, _ count: Int, _ values: TextFunctions.Values) {
    guard let pointer = sqlite3_user_data(context), count >= 3 else { return }
    let capture = Unmanaged<ChangeCapture>.fromOpaque(pointer).takeUnretainedValue()
    let entity = Int(sqlite3_value_int64(values?[0]))
    guard capture.interest.entities.indices.contains(entity) else { return }
    if sqlite3_value_int(values?[2]) == 1 { capture.noteUnknown(entity) }
    let keyCount = capture.interest.entities[entity].entity.key.attributes.count
    func key(_ place: Int) -> [StoredValue]? {
      place + keyCount <= count ? (place..<place + keyCount).map { StoredValue(sqlite: values?[$0]) } : nil
    }
    switch TextFunctions.string(values, 1) {
    case "INSERT": capture.noteChange(entity, old: nil, new: key(3), changed: [])
    case "DELETE": capture.noteChange(entity, old: key(3), new: nil, changed: [])
    case "UPDATE":
      let flags = (min(3 + 2 * keyCount, count)..<count).map { sqlite3_value_int(values?[$0]) }
      // A computed attribute has changed where another one has.
      let changed = flags.contains(1) || flags.contains(2) ? flags.indices.filter { flags[$0] != 0 } : []
      capture.noteChange(entity, old: key(3), new: key(3 + keyCount), changed: changed)
    default: capture.noteUnknown(entity)
    }
  }
}
