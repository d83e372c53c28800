import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Tests that make a store by SQL and inspect it.
protocol InspectingStores {
  var scratch: Scratch { get }
  var store: URL { get }
}

extension InspectingStores {
  func make(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  func inspect() throws -> StoreInspection {
    let before = snapshot(scratch.path)
    let found = try StoreInspector.inspect(store)
    #expect(snapshot(scratch.path) == before, "an inspection only reads")
    return found
  }

  /// The column of a table whose values are those of a list.
  func column(
    _ declared: String, _ values: [String], named name: String = "x", table: String = "t", check: String = ""
  ) throws -> StoreInspection.Column {
    try make("DROP TABLE IF EXISTS \(table); CREATE TABLE \(table) (\(name.quotedIdentifier) \(declared) \(check))")
    let list = values.map { "(\($0))" }.joined(separator: ", ")
    if !values.isEmpty { try make("INSERT INTO \(table) VALUES \(list)") }
    return try #require(try inspect()[table]?[name])
  }
}
