import DAOCriteria
import Foundation
import TestCases
import Testing

@testable import DAOSQLite

/// What is promised, held against what is there afterwards: no model of how it is done.
@Suite("The promises of a merge")
struct MergePromiseTests {
  private static let policies: [(name: String, policy: SeedConflict.Policy)] = [
    ("keepMine", .keepMine), ("takeSeed", .takeSeed), ("byColumn", .byColumn), ("takeSeed", .decide { _ in .seed }),
  ]

  @Test(arguments: policies.indices)
  func `each row is where its sides want it, or somebody is told; the report counts what was done`(policy: Int) async throws {
    let (name, policy) = Self.policies[policy]
    var told: Set<String> = []
    for number in TestCases.seeds(300, inSuite: 15, from: 50_000) {
      await Task.yield()
      var random = RandomSource(seed: number)
      let trial = try MergeTrial(random: &random)
      let merged = try trial.merge(policy)
      for table in trial.schema.tables.indices where !trial.schema.tables[table].key.isEmpty {
        let report = merged.report.first { $0.name == trial.schema.tables[table].name }
        let check = MergedTable(
          table, of: trial, trial.mine.moved(by: merged.report, trial.schema), merged.rows, report, isByColumn: name == "byColumn",
          isTakingSeed: name == "takeSeed")
        // Once each: one fault shows in many trials.
        for complaint in check.complaints where told.insert(complaint.what).inserted {
          Issue.record("\(name), trial \(number): \(complaint.what): \(complaint.row)\n\(merged.report)\n\(trial.description)")
        }
      }
    }
  }

  @Test(arguments: policies.indices)
  func `each reported reason is true, nothing held back could be done, and no row of the user's gave way for nothing`(policy: Int)
    async throws
  {
    let (name, policy) = Self.policies[policy]
    var told: Set<String> = []
    var heldCount = 0
    // In 60302 rows of the user's gave way for nothing once.
    for number in [60_302] + TestCases.seeds(300, inSuite: 20, from: 60_000) {
      await Task.yield()
      var random = RandomSource(seed: number)
      let trial = try MergeTrial(random: &random)
      let merged = try trial.merge(policy)
      let mine = trial.mine.moved(by: merged.report, trial.schema)
      let outcome = MergeOutcome(schema: trial.schema, base: trial.base, mine: mine, seed: trial.seed, after: merged.rows, policy: name)
      heldCount += outcome.held.count
      var complaints = outcome.untruths(merged.report)
      if let lost = outcome.lostForNothing() { complaints.append("lost for nothing: \(lost.count) \(lost)") }
      if let feasible = outcome.feasible() { complaints.append("feasible: \(feasible.count) \(feasible)") }
      for complaint in complaints where told.insert("\(complaint.prefix(12))").inserted {
        Issue.record("\(name), trial \(number): \(complaint)\nafter \(merged.rows)\n\(merged.report)\n\(trial.description)")
      }
    }
    if TestCases.areAll || TestCases.seedOfEnvironment == nil {
      #expect(heldCount > TestCases.count(10, inSuite: 2), "\(name): too little was held back")
    }
  }
}

/// A table with a key after a merge.
private struct MergedTable {
  private let table: Int
  private let trial: MergeTrial
  /// The store's rows before, with the keys to which some have moved.
  private let mine: MergeRows
  private let after: MergeRows
  private let report: SeedUpgradeReport.Table
  private let isByColumn: Bool
  private let isTakingSeed: Bool

  init(
    _ table: Int, of trial: MergeTrial, _ mine: MergeRows, _ after: MergeRows, _ report: SeedUpgradeReport.Table?, isByColumn: Bool,
    isTakingSeed: Bool
  ) {
    (self.table, self.trial, self.mine, self.after) = (table, trial, mine, after)
    (self.isByColumn, self.isTakingSeed) = (isByColumn, isTakingSeed)
    self.report = report ?? SeedUpgradeReport.Table(name: trial.schema.tables[table].name)
  }

  private var schema: MergeSchema { trial.schema }
  private var described: MergeSchema.Table { schema.tables[table] }

  /// All keys of the three sides.
  private var keys: [MergeRow] {
    [trial.base, mine, trial.seed].flatMap { $0.tables[table] }.filter { schema.hasKey(table, $0) }.reduce(into: []) { keys, row in
      if !keys.contains(where: { schema.sameKey(table, $0, row) }) { keys.append(row) }
    }
  }

  private func row(_ rows: MergeRows, like key: MergeRow) -> MergeRow? { rows.tables[table].first { schema.sameKey(table, $0, key) } }

  private func isKey(_ values: [String: StoredValue], of row: MergeRow) -> Bool {
    described.key.allSatisfy { column in
      schema.same(values[described.columns[column].name] ?? .null, row[column], isFolded: schema.isFolded(table, column))
    }
  }

  /// Whether the report speaks of the row: as the one in question, or as the user's that stood in a way.
  private func isTold(_ key: MergeRow) -> Bool {
    (report.conflicts.map(\.conflict.key) + report.heldBack + report.referenced).contains { isKey($0, of: key) }
  }

  private func stoodInTheWay(_ key: MergeRow) -> Bool {
    report.conflicts.contains { found in found.conflict.mine.map { isKey($0, of: key) } == true }
  }

  /// What does not hold, and the row that shows it.
  var complaints: [(what: String, row: String)] {
    var found: [(what: String, row: String)] = []
    var counts = (added: 0, changed: 0, deleted: 0, deletionsKept: 0)
    for key in keys {
      let (base, mine) = (row(trial.base, like: key), row(self.mine, like: key))
      let (seed, result) = (row(trial.seed, like: key), row(after, like: key))
      if mine == nil, result != nil { counts.added += 1 }
      if let mine, let result, mine != result { counts.changed += 1 }
      if mine != nil, result == nil, seed == nil, base != nil { counts.deleted += 1 }
      if base != nil, mine == nil, seed != nil, seed != base, result == nil { counts.deletionsKept += 1 }
      if let what = complaint(key, base: base, mine: mine, seed: seed, result: result) {
        let sides = [("base", base), ("mine", mine), ("seed", seed), ("after", result)].map { "\($0) \($1.map { "\($0)" } ?? "none")" }
        found.append((what, "\(described.name) \(sides.joined(separator: ", "))"))
      }
    }
    // Rows whose key is null are counted, and not told apart.
    if described.kind != .compositeWithNulls {
      let pairs = [
        ("added", counts.added, report.added), ("changed", counts.changed, report.changed), ("deleted", counts.deleted, report.deleted),
        ("deletions kept", counts.deletionsKept, report.deletionsKept),
      ]
      found += pairs.filter { $0.1 != $0.2 }.map { ("\($0.0) is not what the report says", "\(described.name): \($0.1), told \($0.2)") }
    }
    return found
  }

  private func complaint(_ key: MergeRow, base: MergeRow?, mine: MergeRow?, seed: MergeRow?, result: MergeRow?) -> String? {
    // Deleted by the user and changed by the seed, it is the policy's.
    if base != nil, mine == nil, seed != base, seed != nil, isTakingSeed {
      return result == seed || isTold(key) ? nil : "a row that the seed changed stays deleted, and nobody was told"
    }
    if base != nil, mine == nil, result != nil { return "a deleted row came back" }
    if base == seed {
      return result == mine || stoodInTheWay(key) ? nil : "a row that the seed left alone has changed, and nobody was told"
    }
    if mine == base { return result == seed || isTold(key) ? nil : "an untouched row does not follow, and nobody was told" }
    if mine == seed { return result == mine || stoodInTheWay(key) ? nil : "both did the same, and it is another now" }
    guard let mine else { return nil }
    guard isByColumn else { return isTold(key) || result != mine && stoodInTheWay(key) ? nil : "an edited row, and nobody was told" }
    guard let base, let seed else { return nil }
    guard let result else { return "a row that both changed is gone" }
    for column in described.columns.indices where !described.key.contains(column) {
      if mine[column] != base[column], result[column] != mine[column] { return "a column of the user's has changed" }
      if mine[column] == base[column], result[column] != seed[column], !isTold(key) {
        return "a column does not follow the seed, and nobody was told"
      }
    }
    return nil
  }
}
