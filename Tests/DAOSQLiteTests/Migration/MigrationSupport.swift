import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// A store made by SQL, and what a migration makes of it.
struct Migrated {
  let scratch: Scratch
  var url: URL { scratch.url("store") }

  init(_ sql: String, version: Int32 = 1) throws {
    scratch = try Scratch()
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = \(version);" + sql) }
    try queue.close()
  }

  /// Opens the store, and closes it again.
  @discardableResult
  func migrate(
    _ entities: [EntityDescription], _ migration: Migration? = .automatic, version: Int32? = 2
  ) throws -> Migration.Report? {
    let (engine, report) = try StoreDescription.file(url, version: version, migration: migration).open(entities)
    withExtendedLifetime(engine) {}
    return report.migration
  }

  /// The steps that were taken, in words.
  func steps(_ entities: [EntityDescription], _ migration: Migration = .automatic) throws -> [String] {
    try migrate(entities, migration)?.steps.map(\.description) ?? []
  }

  /// The problems by which a migration is refused.
  func problems(_ entities: [EntityDescription], _ migration: Migration = .automatic) throws -> [DAOError.MigrationProblem] {
    let before = snapshot(scratch.path)
    do { try migrate(entities, migration) } catch DAOError.migration(_, let problems) {
      #expect(snapshot(scratch.path) == before)
      return problems
    }
    return []
  }

  /// The rows of a query, each as SQL literals side by side.
  func rows(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map(\.stored.description).joined(separator: " ") }
    }
  }

  func schema() throws -> StoreSchema {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    return try queue.read { try StoreSchema(reading: $0) }
  }
}
