import DAODifferential
import DAOKit
import Foundation
import GRDB
import TestCases

/// A database of made-up data, as other tools make them: its schema and rows do not know DAOKit.
package struct Fixture: Sendable {
  /// The rows of a table, in the order of its columns.
  typealias Table = (name: String, rows: [[StoredValue]])

  /// What the file is called, without its extension.
  package let name: String
  /// Its tables and views.
  let schema: [String]
  /// Its rows, tables that others refer to first.
  let tables: @Sendable (inout RandomSource) -> [Table]
  /// What is asked of it.
  package let answers: [Answer]

  /// How many tables and views it has.
  package var tableCount: Int { schema.count { $0.hasPrefix("CREATE TABLE") || $0.hasPrefix("CREATE VIEW") } }

  /// A shop for records, and a company that trades in all sorts of things.
  package static let all: [Fixture] = [.musicShop, .tradingCompany]

  /// Writes the database as a new file; the same rows each time.
  /// - Returns: where it is.
  @discardableResult
  package func write(to folder: URL) throws -> URL {
    let url = folder.appendingPathComponent(name + ".sqlite")
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: url.path])
    }
    let queue = try DatabaseQueue(path: url.path)
    var random = RandomSource(seed: 21)
    let tables = tables(&random)
    try queue.write { db in
      for statement in schema { try db.execute(sql: statement) }
      for table in tables {
        let places = table.rows.first.map { Array(repeating: "?", count: $0.count).joined(separator: ", ") } ?? ""
        let insert = try db.makeStatement(sql: "INSERT INTO \"\(table.name)\" VALUES (\(places))")
        for row in table.rows { try insert.execute(arguments: StatementArguments(row.map(\.databaseValue))) }
      }
      try db.execute(sql: "ANALYZE")
    }
    try queue.close()
    return url
  }
}

extension Fixture: CustomStringConvertible {
  package var description: String { name }
}

extension StoredValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let value): value.databaseValue
    }
  }

  /// A text, or null where there is none.
  static func text(_ text: String?) -> StoredValue { text.map { .text($0) } ?? .null }
  /// An integer, or null where there is none.
  static func integer(_ number: Int?) -> StoredValue { number.map { .integer(Int64($0)) } ?? .null }
}
