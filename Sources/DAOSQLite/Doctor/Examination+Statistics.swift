import DAOCriteria
import DAOSQL

extension Examination {
  /// Tables whose rows `ANALYZE` has never counted, or when there were ten times as many or as few. Of small tables SQLite's guesses are as
  /// good.
  mutating func examineStatistics() throws {
    let hasStatistics = try count("SELECT count(*) FROM main.sqlite_schema WHERE name = 'sqlite_stat1'") > 0
    var counted: [SchemaName: Int] = [:]
    for row in hasStatistics ? try rows("SELECT tbl, stat FROM main.sqlite_stat1") : [] {
      // The first number is that of the rows (sqlite.org/fileformat2.html, section 2.6.1).
      guard row.count == 2, case .text(let table) = row[0], case .text(let statistics) = row[1],
        let number = statistics.split(separator: " ").first.flatMap({ Int($0) })
      else { continue }
      counted[SchemaName(table)] = max(counted[SchemaName(table)] ?? 0, number)
    }
    for entity in entities.map(\.description) {
      guard let rows = rowCounts[entity.name], rows >= Self.manyRows, schema[entity.table]?.indexes.isEmpty == false else { continue }
      let repair = Repair("have the rows counted", sql: ["ANALYZE main.\(entity.table.quotedIdentifier)"])
      guard let known = counted[SchemaName(entity.table)] else {
        add(Finding(.statistics, of: entity.name, "ANALYZE was never run; SQLite guesses how many rows a condition leaves", repair: repair))
        continue
      }
      if rows / 10 > known || known / 10 > rows {
        add(Finding(.statistics, of: entity.name, "ANALYZE was run when there were \(known) rows; now there are \(rows)", repair: repair))
      }
    }
  }

  private static let manyRows = 1_000
}
