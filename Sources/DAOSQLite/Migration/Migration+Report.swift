import DAOCriteria
import DAOSQL
import Foundation

extension Migration {
  /// The changes that a migration made.
  public struct Report: Sendable, Hashable {
    /// The steps, in the order in which they were taken.
    public let steps: [Migration.Step]
    /// The number of rows of each rebuilt table.
    public let rows: [String: Int]
    /// The store's `user_version` before.
    public let oldVersion: Int32
    /// The store's `user_version` now.
    public let newVersion: Int32
    /// The store as it was, where steps can't be undone: `<store>.before-migration`. The app may remove it; the next migration that makes a
    /// backup replaces it.
    public internal(set) var backup: URL?
    /// How long it took.
    public let duration: Duration
  }
}

extension Migration.Report: CustomStringConvertible {
  /// The report in a few lines.
  public var description: String {
    let versions = oldVersion == newVersion ? "version \(newVersion)" : "version \(oldVersion) to \(newVersion)"
    var lines = ["migrated: \(versions), \(steps.count) step\(steps.count == 1 ? "" : "s")"]
    lines += steps.map { "  " + $0.description }
    lines += rows.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value) rows, all there" }
    if let backup { lines.append("  saved: \(backup.path)") }
    return lines.joined(separator: "\n")
  }
}
