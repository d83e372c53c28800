import Foundation

/// The findings of a ``StoreDoctor`` in a store, each with its repair.
///
/// ```swift
/// let report = try factory.examine()
/// if !report.isHealthy { print(report) }
/// // store: /home/me/clock.sqlite, 1.2 MB, version 3
/// //        8 entities, 20,419 rows
/// // found: 1 error, 1 note
/// //
/// // error    unreadable value    zone.inhabited    12 rows
/// //          expects Bool, not 'true'
/// //          (7) 'true', (9) 'TRUE'
/// //          repair: write words for true and false as 1 and 0, in all 12 rows
/// //                  UPDATE "zone" SET "inhabited" = lower("inhabited") IN ('1', 'true', 't', …) WHERE …
/// ```
///
/// A report shows some of the store's values; show it only to those who may read the store.
public struct DoctorReport: Sendable, Hashable {
  /// The store's file; nil in memory.
  public let store: URL?
  /// The findings, the most severe first.
  public let findings: [Finding]
  /// The store's own facts; nil where SQLite can't open it.
  public let facts: Facts?
  /// How long it took.
  public let duration: Duration

  /// A report; the findings in any order.
  init(store: URL?, findings: [Finding], facts: Facts?, duration: Duration) {
    self.store = store
    let isDamaged = findings.contains { $0.severity == .damage }
    self.findings = findings.map { isDamaged ? $0.withoutSQL : $0 }.enumerated().sorted {
      ($0.element.severity, $0.offset) < ($1.element.severity, $1.offset)
    }.map(\.element)
    self.facts = facts
    self.duration = duration
  }

  /// Whether there is nothing to repair: there are no findings but notes.
  public var isHealthy: Bool { findings.allSatisfy { $0.severity == .note } }

  /// The SQL of all repairs that have some, as one transaction to be run by any tool; empty where there is none, and where the file is
  /// damaged: SQL that runs on damaged pages can damage more.
  ///
  /// Foreign keys are checked at its end, since both of their sides may be repaired.
  public var repairSQL: [String] {
    var statements: [String] = []
    // A search table that lacks all rows is a finding of its own and a drift.
    for statement in findings.flatMap(\.repair.sql) where !statements.contains(statement) { statements.append(statement) }
    return statements.isEmpty ? [] : ["BEGIN IMMEDIATE", "PRAGMA defer_foreign_keys = ON"] + statements + ["COMMIT"]
  }

  /// A store's own facts: its size, version, application and number of rows.
  public struct Facts: Sendable, Hashable {
    /// Bytes of the main file; nil in memory.
    public let size: Int64?
    /// `PRAGMA user_version`.
    public let version: Int32
    /// `PRAGMA application_id`.
    public let applicationID: Int32
    /// Whether the file is in WAL mode, as a store that is open always is. A seed is to be shipped in the other.
    public let isWAL: Bool
    /// How many rows each entity has whose rows were read, by the entity's name.
    public let rowCounts: [String: Int]
  }
}

extension DoctorReport: CustomStringConvertible {
  /// The report as a text of a few lines for each finding.
  public var description: String {
    var lines = ["store: " + (store?.path ?? "in memory")]
    if let facts {
      if let size = facts.size { lines[0] += ", " + size.formatted(.byteCount(style: .file)) }
      lines[0] += ", version \(facts.version)"
      let rows = facts.rowCounts.values.reduce(0, +)
      let entities = facts.rowCounts.count == 1 ? "1 entity" : "\(facts.rowCounts.count) entities"
      lines.append("       \(entities), " + (rows == 1 ? "1 row" : "\(rows.formatted()) rows"))
    }
    lines.append("found: " + summary)
    let columns = Finding.widths(of: findings)
    for finding in findings { lines += [""] + finding.lines(columns) }
    return lines.joined(separator: "\n")
  }

  /// How many findings there are of each severity: `2 errors, 1 note`.
  private var summary: String {
    let counts = Severity.allCases.compactMap { severity -> String? in
      let count = findings.filter { $0.severity == severity }.count
      return count == 0 ? nil : severity.counted(count)
    }
    return counts.isEmpty ? "nothing to repair" : counts.joined(separator: ", ")
  }
}
