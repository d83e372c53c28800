import DAOCriteria
import DAOSQL
import DAOSchema

extension Examination {
  /// Rows that point to rows which are not there: what `PRAGMA foreign_key_check` finds, counted for each foreign key.
  mutating func examineForeignKeys(of table: StoreSchema.Table) throws {
    let counts: [[StoredValue]]
    do {
      counts = try connection.rows(
        SQLStatement("SELECT fkid, count(*) FROM temp.pragma_foreign_key_check(?) GROUP BY fkid ORDER BY fkid", [.text(table.name)]))
    } catch DAOError.engine(let failure) where failure.message.contains("foreign key mismatch") {
      add(
        Finding(
          .foreignKey, of: table.name, failure.message + ": what is pointed to has no primary key or unique index of these columns",
          repair: Repair("give the other table a unique index over the columns that are pointed to; until then no row here can be written"))
      )
      return
    }
    for case let row in counts {
      guard row.count == 2, case .integer(let id) = row[0], case .integer(let count) = row[1], table.foreignKeys.indices.contains(Int(id))
      else { continue }
      let key = table.foreignKeys[Int(id)]
      add(
        Finding(
          .foreignKey, of: table.name, at: key.columns.joined(separator: ", "), rows: Int(clamping: count),
          "points to no row of \(key.table)",
          examples: try orphans(of: key, in: table),
          repair: Repair("insert the rows of \(key.table) that are pointed to, or change or delete those that point to them")))
    }
  }

  private func orphans(of key: StoreSchema.ForeignKey, in table: StoreSchema.Table) throws -> [Example] {
    let isSet = key.columns.map { "here.\($0.quotedIdentifier) IS NOT NULL" }.joined(separator: " AND ")
    let targets = schema.columns(of: key)
    guard schema[key.table] != nil, targets.count == key.columns.count else { return try examples(of: table, key.columns, where: isSet) }
    let isThere = zip(targets, key.columns).map { "there.\($0.quotedIdentifier) = here.\($1.quotedIdentifier)" }.joined(separator: " AND ")
    return try examples(
      of: table, key.columns,
      where: "\(isSet) AND NOT EXISTS (SELECT 1 FROM main.\(key.table.quotedIdentifier) AS there WHERE \(isThere))")
  }
}
