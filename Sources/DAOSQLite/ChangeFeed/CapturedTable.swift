import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB

/// A table whose changes are noted, and for whom.
struct CapturedTable {
  /// Where the key of a row is found.
  enum Key {
    /// It is the row id.
    case rowID
    /// The values of columns, by their positions in the stored row.
    case columns([CInt])
  }

  /// One entity whose rows come from the table.
  struct Target {
    /// The entity's position among those that are followed.
    let entity: Int
    /// Nil where a change can't be assigned to one row: only that rows changed is noted.
    let key: Key?
    /// The columns of the entity's attributes, nil for one that SQLite computes; empty where changed attributes are not wanted.
    let attributes: [Column?]
    /// The same, where rows are wanted.
    let row: [Column?]
  }

  /// A column that is stored.
  struct Column {
    /// Its position in the stored row.
    let position: CInt
    /// Whether it has a default.
    let hasDefault: Bool
    /// Whether it has doubles, which SQLite stores as integers where they are whole.
    let isReal: Bool
    /// Whether its text is compared by other rules than its bytes.
    let isCollated: Bool
  }

  /// The table's name, as the schema spells it.
  let name: String
  /// How many columns the table has, computed ones too. Where it has others, another program has changed the schema.
  let columnCount: CInt
  let targets: [Target]
}

extension CapturedTable {
  /// The tables from which the entities of an interest have their rows; and the positions of entities over virtual tables, whose
  /// changes nobody sees. No view reads one: SQLite refuses it.
  static func tables(of interest: ChangeInterest, in database: Database) throws -> (seen: [CapturedTable], unseen: Set<Int>) {
    let catalog = try SchemaCatalog(of: database)
    let schema = try StoreSchema(reading: database, for: interest.entities.map(\.entity))
    var targets: [SchemaName: [Target]] = [:]
    var unseen: Set<Int> = []
    let virtual = Set(catalog.entries.filter { $0.kind == .virtual }.map { SchemaName($0.name) })
    for (index, followed) in interest.entities.enumerated() {
      if virtual.contains(SchemaName(followed.entity.table)) { unseen.insert(index) }
      guard let table = schema[followed.entity.table] else { continue }
      if table.isView {
        let unknown = Target(entity: index, key: nil, attributes: [], row: [])
        for name in try tablesRead(by: table.name, catalog, database) { targets[SchemaName(name), default: []].append(unknown) }
      } else {
        targets[SchemaName(table.name), default: []].append(try StoredColumns(of: table, in: database).target(index, followed))
      }
    }
    let seen = try catalog.entries.filter { $0.kind == .table }.compactMap { entry -> CapturedTable? in
      guard let targets = targets[SchemaName(entry.name)] else { return nil }
      return CapturedTable(name: entry.name, columnCount: try storedColumnCount(of: entry.name, in: database), targets: targets)
    }
    return (seen, unseen)
  }

  /// The tables that a view reads; all of them where that takes too much to find out.
  private static func tablesRead(by view: String, _ catalog: SchemaCatalog, _ database: Database) throws -> [String] {
    let tables = catalog.entries.filter { $0.kind == .table }.map(\.name)
    var expansion = catalog.viewExpansion()
    guard expansion.problem(of: view) == nil,
      let region = try? database.makeStatement(sql: "SELECT * FROM main.\(view.quotedIdentifier)").databaseRegion
    else { return tables }
    return tables.filter { region.isModified(byEventsOfKind: .delete(tableName: $0)) }
  }

  private static func storedColumnCount(of table: String, in database: Database) throws -> CInt {
    CInt(try StoredColumns.positions(of: table, in: database).count)
  }
}

/// Where the columns of a table stand in a stored row.
private struct StoredColumns {
  private let positions: [(name: String, column: CapturedTable.Column?)]
  private let rowID: String?
  private let isWithoutRowID: Bool

  init(of table: StoreSchema.Table, in database: Database) throws {
    positions = try Self.positions(of: table.name, in: database)
    rowID = table.integerPrimaryKey
    isWithoutRowID = table.isWithoutRowID
  }

  /// Each column with its position in a stored row, which has no place for one that is computed when it is read.
  static func positions(of table: String, in database: Database) throws -> [(name: String, column: CapturedTable.Column?)] {
    var next: CInt = 0
    return try database.bareRows("PRAGMA main.table_xinfo(\(table.quotedIdentifier))") { row in
      let isVirtual = row.integer(6) == 2
      defer { if !isVirtual { next += 1 } }
      let column = CapturedTable.Column(
        position: next, hasDefault: row.optionalText(4) != nil, isReal: AttributeType.isReal(declared: row.text(2)),
        isCollated: database.collation(of: row.text(1), in: table) != "BINARY")
      return (row.text(1), isVirtual ? nil : column)
    }
  }

  func target(_ index: Int, _ followed: FollowedEntity) -> CapturedTable.Target {
    let key = key(of: followed.entity)
    let columns = key == nil ? [] : followed.entity.attributes.map { column($0.column) }
    return CapturedTable.Target(
      entity: index, key: key, attributes: followed.withAttributes ? columns : [], row: followed.withRows ? columns : [])
  }

  /// A column's place. Of one that stands behind a computed one SQLite's releases count it differently, so it has none here.
  private func column(_ name: String) -> CapturedTable.Column? {
    positions.prefix { $0.column != nil }.first { SchemaName.same($0.name, name) }?.column
  }

  private func key(of entity: EntityDescription) -> CapturedTable.Key? {
    let columns = entity.keyAttributes.map(\.column)
    // The hook confuses columns that stand behind a computed one with others, where they stand before the key, or in the key's own table.
    if let firstComputed = positions.firstIndex(where: { $0.column == nil }) {
      let rowIDPlace = rowID.flatMap { rowID in positions.firstIndex { SchemaName.same($0.name, rowID) } }
      if isWithoutRowID || rowIDPlace.map({ $0 > firstComputed }) ?? false { return nil }
    }
    if columns.count == 1, let rowID, SchemaName.same(columns[0], rowID) { return .rowID }
    let found = columns.compactMap { column($0)?.position }
    return found.isEmpty || found.count != columns.count ? nil : .columns(found)
  }
}
