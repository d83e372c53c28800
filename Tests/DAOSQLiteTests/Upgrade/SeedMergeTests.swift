import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

/// The merge against plain loops over rows, over random schemas and rows.
@Suite struct SeedMergeTests {
  /// Of what a closure may say, what a conflict's key says.
  static let closure = SeedConflict.Policy.decide { conflict in
    let sum = conflict.key.values.reduce(0) { sum, value in sum + "\(value)".utf8.reduce(0) { $0 + Int($1) } }
    switch sum % 3 {
    case 0: return .mine
    case 1: return .seed
    default: return .row(["v": .text("made"), "c0": .null])
    }
  }

  static let policies: [(name: String, policy: SeedConflict.Policy)] = [
    ("keepMine", .keepMine), ("takeSeed", .takeSeed), ("byColumn", .byColumn), ("decide", closure),
  ]

  @Test(arguments: policies.indices) func `the merge makes the rows and the report of the model`(policy: Int) async throws {
    let (name, policy) = Self.policies[policy]
    var seen: Set<String> = []
    for number in TestCases.seeds(250, inSuite: 30) {
      await Task.yield()
      var random = RandomSource(seed: number)
      let trial = try MergeTrial(random: &random)
      let model = try MergeModel(trial.schema, base: trial.base, mine: trial.mine, seed: trial.seed, policy)
      let found: (rows: MergeRows, report: [SeedUpgradeReport.Table])
      do { found = try trial.merge(policy) } catch {
        Issue.record("\(name), trial \(number): \(error)\n\(trial.description)")
        continue
      }
      let summary = MergeSummary(found.report)
      let (rows, expected) = (found.rows.tables.map(counted), trial.schema.tables.indices.map { counted(model.result($0)) })
      if rows != expected || summary != MergeSummary(model) {
        Issue.record("\(name), trial \(number): \(rows)\n\(expected)\n\(summary)\n\(MergeSummary(model))\n\(trial.description)")
        return
      }
      try checkRules(trial, "\(name), trial \(number)")
      for table in found.report {
        if table.added > 0 { seen.insert("added") }
        if table.changed > 0 { seen.insert("changed") }
        if table.deleted > 0 { seen.insert("deleted") }
        if table.editsKept > 0 { seen.insert("edits") }
        if table.deletionsKept > 0 { seen.insert("deletions") }
        if !table.referenced.isEmpty { seen.insert("referenced") }
        if !table.heldBack.isEmpty { seen.insert("held back") }
        if !table.moved.isEmpty { seen.insert("moved") }
        for conflict in table.conflicts { seen.insert(conflict.conflict.cause == .edited ? "edited" : "unique") }
      }
    }
    // Else the trials show nothing of it.
    var all: Set = ["added", "changed", "deleted", "edited"]
    // With the seed of every run they are known to be there.
    if TestCases.areAll || TestCases.seedOfEnvironment == nil {
      all.formUnion(["deletions", "referenced", "held back", "moved", "unique"])
    }
    // They come back.
    if name == "takeSeed" { all.remove("deletions") }
    #expect(seen.isSuperset(of: all), "\(name): \(all.subtracting(seen))")
  }

  private func checkRules(_ trial: MergeTrial, _ comment: String) throws {
    let (finding, violations) = try SQLiteFile.open(trial.scratch.url("mine").path) { db in
      (try String.fetchAll(db, sql: "PRAGMA integrity_check"), try Row.fetchAll(db, sql: "PRAGMA foreign_key_check"))
    }
    #expect(finding == ["ok"] && violations.isEmpty, "\(comment)")
  }

  /// A second upgrade to the same seed finds that all is done.
  @Test func `what the user never touched is the seed's and a second merge changes nothing`() async throws {
    for number in TestCases.seeds(100, inSuite: 15, from: 1000) {
      await Task.yield()
      var random = RandomSource(seed: number)
      let trial = try MergeTrial(random: &random)
      let merged = try trial.merge(.keepMine).rows
      let again = try trial.merge(.keepMine, base: "seed")
      #expect(again.rows.tables.map(counted) == merged.tables.map(counted), "trial \(number)")
      #expect(again.report == [], "trial \(number)")
    }
  }

  /// Without edits of the user's the store becomes the seed, whatever the policy; without news of the seed's it stays as it is.
  @Test func `one side alone is followed`() async throws {
    for number in TestCases.seeds(100, inSuite: 15, from: 2000) {
      await Task.yield()
      var random = RandomSource(seed: number)
      let trial = try MergeTrial(random: &random)
      let policy = Self.policies[Int(number % UInt64(Self.policies.count))].policy
      let kept = try trial.merge(policy, seed: "base")
      #expect(kept.report == [] && kept.rows.tables.map(counted) == trial.mine.tables.map(counted), "trial \(number)")
      // The store is its own base: nobody has touched a row.
      try FileManager.default.copyItem(at: trial.scratch.url("mine"), to: trial.scratch.url("same"))
      let followed = try trial.merge(policy, base: "same")
      #expect(followed.rows.tables.map(counted) == trial.seed.tables.map(counted), "trial \(number)")
      #expect(followed.report.allSatisfy { $0.conflicts.isEmpty && $0.referenced.isEmpty && $0.heldBack.isEmpty }, "trial \(number)")
    }
  }
}
