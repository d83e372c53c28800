import DAOKit

/// Counts the values in the columns of a Core Data store.
///
/// The columns of an entity are counted together, since each query reads all its rows.
final class CoreDataCounts {
  /// How many columns a query counts at most.
  static let group = 500

  /// The rows of an entity, and its values by their columns.
  struct Counts {
    var rows: Int64 = 0
    var values: [String: Int64] = [:]
  }

  private let connection: any Connection
  private var known: [Int64: Counts] = [:]

  init(_ connection: any Connection) { self.connection = connection }

  /// The counts of the rows that are of an entity itself, and of no sub-entity.
  func counts(of number: Int64, in source: CoreDataEntity) throws -> Counts {
    if let known = known[number] { return known }
    let counts = try counts(source.table, source.description.attributes.map(\.column), where: "Z_ENT = \(number)")
    known[number] = counts
    return counts
  }

  /// How many values a column has in the rows of some entities.
  func values(_ column: String, of numbers: [Int64], in source: CoreDataEntity) throws -> Int64 {
    try numbers.reduce(0) { try $0 + (counts(of: $1, in: source).values[column] ?? 0) }
  }

  /// The counts of a table.
  func counts(_ table: String, _ columns: [String], where condition: String = "TRUE") throws -> Counts {
    var counts = Counts()
    for start in stride(from: 0, to: max(1, columns.count), by: Self.group) {
      let group = Array(columns[start..<min(columns.count, start + Self.group)])
      try connection.each(Self.sql(table, group, where: condition)) { row in
        if case .integer(let rows) = try row.takeStored() { counts.rows = rows }
        for column in group { if case .integer(let count) = try row.takeStored() { counts.values[column] = count } }
      }
    }
    return counts
  }

  /// The query of the counts. SQLite finds the type of a value without the value, which may be large.
  static func sql(_ table: String, _ columns: [String], where condition: String) -> String {
    let values = ["count(*)"] + columns.map { "count(nullif(typeof(\($0.asSQLName)), 'null'))" }
    return "SELECT \(values.joined(separator: ", ")) FROM \(table.asSQLName) WHERE \(condition)"
  }

  /// The rows of a table by their entities.
  func rows(of table: String) throws -> [Int64: Int64] {
    var rows: [Int64: Int64] = [:]
    try connection.each("SELECT Z_ENT, count(*) FROM \(table.asSQLName) GROUP BY Z_ENT") { row in
      if case .integer(let number) = try row.takeStored(), case .integer(let count) = try row.takeStored() { rows[number] = count }
    }
    return rows
  }
}
