import DAOCriteria
import GRDB

/// The state of a database that a bootstrap needs, queried through SQLite: the bytes of a store in use are not reliable, and opening them
/// by hand would drop the locks that this process holds on it (sqlite.org/howtocorrupt.html, section 2.2).
struct StoreState {
  let applicationID: Int32
  var version: Int32
  /// How text is stored; only UTF-8 is ordered by its bytes as DAOKit promises.
  let encoding: String
  let stamp: SeedStamp?

  init(reading db: Database) throws {
    applicationID = try db.bareRows("PRAGMA application_id") { Int32(truncatingIfNeeded: $0.integer(0)) }.first ?? 0
    version = try db.bareRows("PRAGMA user_version") { Int32(truncatingIfNeeded: $0.integer(0)) }.first ?? 0
    encoding = try db.bareRows("PRAGMA encoding") { $0.text(0) }.first ?? ""
    stamp = try SeedStamp(reading: db)
  }
}
