import DAOCriteria
import DAOSQL
import GRDB

/// A row that references one which is not there. A table without row ids does not distinguish its rows.
struct ForeignKeyViolation: Hashable, CustomStringConvertible {
  let table: String
  let row: String?
  let parent: String
  let key: Int64

  var description: String { "\(table)\(row.map { ", row \($0)" } ?? "") references a row of \(parent) that is not there" }

  /// The references without a row, and how many of each.
  static func all(of tables: [MergeTable], in db: Database) throws -> [Self: Int] {
    var found: [Self: Int] = [:]
    for table in tables where table.hasForeignKeys {
      do {
        let violations = try db.bareRows("PRAGMA main.foreign_key_check(\(table.name.quotedIdentifier))") { row in
          Self(table: row.text(0), row: row.optionalText(1), parent: row.text(2), key: row.integer(3))
        }
        for violation in violations { found[violation, default: 0] += 1 }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // A key that leads to columns that are none can't be checked, and says so at each write.
      }
    }
    return found
  }

  /// Checks that no more rows than before reference missing rows.
  /// - Parameter before: asked only where some do.
  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)``.
  static func check(_ tables: [MergeTable], in db: Database, before: () throws -> [Self: Int]) throws {
    let after = try all(of: tables, in: db)
    if after.isEmpty { return }
    let before = try before()
    let new = after.filter { $0.value > before[$0.key] ?? 0 }.keys.sorted { $0.description < $1.description }
    if let first = new.first {
      throw DAOError.constraint(
        .foreignKey, entity: first.table, attributes: [],
        message: "the merged rows lack what they reference: \(new.prefix(10).map(\.description).joined(separator: "; "))")
    }
  }
}
