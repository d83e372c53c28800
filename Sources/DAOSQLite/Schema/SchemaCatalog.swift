import DAOCriteria
import DAOSQL
import GRDB

/// The tables and views of a database, as `sqlite_schema` lists them.
///
/// `PRAGMA table_list` returns the same, but compiles every view for it, and the maker of the file decides the contents of the views; see
/// ``ViewExpansion``.
struct SchemaCatalog {
  /// The kind of object that a name stands for.
  enum Kind { case table, view, virtual, shadow }

  struct Entry {
    let name: String
    let kind: Kind
    var isWithoutRowID = false
    var isStrict = false
  }

  /// Everything but SQLite's own (`sqlite_…`).
  let entries: [Entry]
  private let views: [(name: String, sql: String)]

  /// - Parameter side: the database's name on the connection.
  init(of db: Database, side: String = "main") throws {
    let rows = try db.bareRows(
      """
      SELECT name, type = 'view', rootpage, CASE WHEN rootpage = 0 OR sql LIKE '%STRICT%' OR sql LIKE '%WITHOUT%' THEN sql END
      FROM \(side).sqlite_schema WHERE type IN ('table', 'view')
      """
    ) { row in (name: row.text(0), isView: row.bool(1), hasPage: row.integer(2) != 0, sql: row.optionalText(3)) }
    .filter { !SchemaName($0.name).hasPrefix("sqlite_") }
    views = rows.lazy.filter(\.isView).map { ($0.name, $0.sql ?? "") }
    let virtual = rows.filter { !$0.isView && !$0.hasPage }
    let shadows = Set(virtual.flatMap { Self.shadows(of: $0.name, $0.sql ?? "") })
    entries = rows.map { row in
      if row.isView { return Entry(name: row.name, kind: .view) }
      if !row.hasPage { return Entry(name: row.name, kind: .virtual) }
      if !shadows.isEmpty, shadows.contains(SchemaName(row.name)) { return Entry(name: row.name, kind: .shadow) }
      let options = row.sql.map { CreateTable.options(of: $0) }
      return Entry(
        name: row.name, kind: .table, isWithoutRowID: options?.isWithoutRowID ?? false, isStrict: options?.isStrict ?? false)
    }
  }

  /// Returns an expansion of the views.
  func viewExpansion() -> ViewExpansion { ViewExpansion(views) }

  /// The tables in which a virtual table keeps its own data (sqlite.org/vtab.html, section 2.15).
  private static func shadows(of name: String, _ sql: String) -> [SchemaName] {
    let tokens = SQLTokens.of(sql)
    guard let using = tokens.firstIndex(where: { $0.isWord("USING") }), tokens.indices.contains(using + 1) else { return [] }
    let module = tokens[using + 1].name
    let parts = shadowParts.first { $0.modules.contains { SchemaName.same($0, module) } }?.parts ?? []
    return parts.map { SchemaName("\(name)_\($0)") }
  }

  private static let shadowParts: [(modules: [String], parts: [String])] = [
    (["fts5"], ["data", "idx", "content", "docsize", "config"]),
    (["fts3", "fts4"], ["content", "segments", "segdir", "docsize", "stat"]),
    (["rtree", "rtree_i32", "geopoly"], ["node", "rowid", "parent"]),
  ]
}
