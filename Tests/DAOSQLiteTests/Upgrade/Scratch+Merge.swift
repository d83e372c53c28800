import DAOCriteria
import DAOSQL
import Foundation
import GRDB

@testable import DAOSQLite

extension Scratch {
  /// What the store answers after a merge, and what was reported of its rows and its schema.
  typealias Merged = (answers: [String], report: [SeedUpgradeReport.Table], schema: [String])

  /// Makes the three sides, merges, and asks the store.
  func merge(
    _ schema: String, new newSchema: String? = nil, base: String, mine: String, seed: String, _ policy: SeedConflict.Policy = .keepMine,
    naturalKeys: Set<SchemaName> = [], versions: [SchemaName: SchemaName] = [:], asking queries: String...
  ) throws -> Merged {
    try merge(
      schema, new: newSchema, base: base, mine: mine, seed: seed, policy, naturalKeys: naturalKeys, versions: versions, asking: queries)
  }

  /// As ``merge(_:new:base:mine:seed:_:naturalKeys:versions:asking:)``, with the questions in a list.
  func merge(
    _ schema: String, new newSchema: String? = nil, base: String, mine: String, seed: String, _ policy: SeedConflict.Policy,
    naturalKeys: Set<SchemaName>, versions: [SchemaName: SchemaName] = [:], asking queries: [String]
  ) throws -> Merged {
    for (name, schema, rows) in [("base", schema, base), ("mine", schema, base + ";" + mine), ("seed", newSchema ?? schema, seed)] {
      try? FileManager.default.removeItem(at: url(name))
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(path: url(name).path, configuration: configuration)
      try queue.write { try $0.execute(sql: schema + ";" + rows) }
      try queue.close()
    }
    return try SQLiteFile.open(url("mine").path) { db in
      for side in [(MergeSide.base, "base"), (.seed, "seed")] {
        try db.execute(
          sql: "ATTACH DATABASE ? AS \(side.0.rawValue)", arguments: [SQLiteConfiguration.uri(url(side.1), "mode=ro&immutable=1")])
      }
      try db.execute(sql: "BEGIN IMMEDIATE")
      defer { try? db.execute(sql: "ROLLBACK") }
      var upgrade = try SchemaUpgrade(in: db)
      try upgrade.begin()
      var merge = try SeedMerge(in: db, store: "mine", policy, naturalKeys: naturalKeys, versions: versions)
      let report = try merge.run()
      try upgrade.end()
      let answers = try queries.map { query in
        try Row.fetchAll(db, sql: query).map { $0.databaseValues.map { $0.stored.description }.joined(separator: " ") }
          .joined(separator: ", ")
      }
      return (answers, report, upgrade.changes.map(\.description))
    }
  }
}
