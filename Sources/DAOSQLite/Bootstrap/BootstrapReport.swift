import DAOCriteria
import DAOSQL
import Foundation

/// The outcome of a bootstrap, and the reason.
public struct BootstrapReport: Sendable, Hashable {
  /// The action that was taken.
  public enum Outcome: Sendable, Hashable {
    /// There was no store; the seed was copied.
    case copied
    /// There was no store and no seed; an empty one was made from the entities.
    case created
    /// The store was there and stays, for this reason.
    case reused(reason: String)
    /// The store was replaced by the seed, for this reason.
    case replaced(reason: String)
    /// The store did not match the entities, had these differences, and was created again; see ``StoreDescription/MismatchPolicy``.
    case erased(differences: [SchemaDifference])
    /// The store was created again because the app requested it.
    case reset
    /// A newer seed was merged into the store.
    case upgraded(SeedUpgradeReport)
    /// The store, which had no base to merge with, was taken as it is; the shipped seed is its base from now on.
    ///
    /// - Parameter moved: the keys that rows of the user's have left for the seed's, and those that they have now, by table.
    case adopted(moved: [String: [Int64: Int64]])
    /// The seed was loaded into memory.
    case loaded
    /// The seed is used where it lies, read-only.
    case inPlace
  }

  /// The action that was taken.
  public let outcome: Outcome
  /// The store's path; nil in memory.
  public let store: URL?
  /// The seed's path; nil where there is none.
  public let seed: String?
  /// The seed's size in bytes, a WAL beside it included; nil where the seed was not read.
  public let seedSize: Int64?
  /// The store's size in bytes; nil in memory.
  public let storeSize: Int64?
  /// The seed's `user_version`; nil where the seed was not read.
  public let seedVersion: Int32?
  /// The store's `user_version`.
  public let storeVersion: Int32
  /// Older stores that were replaced, each whole; see ``storeHasOpened()``.
  public let backups: [URL]
  /// Stores that were erased because they did not match the entities, each complete; see ``removeErased()``. They are searched for if
  /// ``StoreDescription/MismatchPolicy`` allows erasing.
  public let erased: [URL]
  /// How the store, or the copy of the seed, was migrated to the entities; nil where it was not.
  public let migration: Migration.Report?
  /// How long it took.
  public let duration: Duration

  /// The same report with another outcome.
  func with(_ outcome: Outcome) -> BootstrapReport {
    BootstrapReport(
      outcome: outcome, store: store, seed: seed, seedSize: seedSize, storeSize: storeSize, seedVersion: seedVersion,
      storeVersion: storeVersion, backups: backups, erased: erased, migration: migration, duration: duration)
  }

  /// Removes the backups. To be called when the new store has opened, and not before.
  /// - Throws: ``DAOError/bootstrap(_:)`` where one can't be removed.
  public func storeHasOpened() throws {
    for backup in backups { try Files.removeDatabase(backup.path) }
  }

  /// Removes the erased stores permanently.
  /// - Throws: ``DAOError/bootstrap(_:)`` where one can't be removed.
  public func removeErased() throws {
    for store in erased { try Files.removeDatabase(store.path) }
    if let last = erased.last { try Files.syncFolder(of: last.path) }
  }
}

extension BootstrapReport: CustomStringConvertible {
  /// The report in a few lines.
  public var description: String {
    let place = store?.path ?? "in memory"
    let source = seed ?? "the entities"
    let what =
      switch outcome {
      case .copied: "copied from \(source)"
      case .created: "created empty from the entities"
      case .reused(let reason): "reused: \(reason)"
      case .replaced(let reason): "replaced by \(source): \(reason)"
      case .erased(let differences):
        "made anew from \(source), since it did not fit the entities: " + differences.map(\.description).joined(separator: "; ")
      case .reset: "made anew from \(source)"
      case .upgraded(let report): "upgraded " + report.description.replacing("\n", with: "\n       ")
      case .adopted(let moved):
        "taken as it is; \(source) is the base of its next upgrade"
          + moved.sorted { $0.key < $1.key }.map { "; \($0.key): \($0.value.count) of the user's moved to other keys" }.joined()
      case .loaded: "loaded from \(source)"
      case .inPlace: "used where it lies, read-only"
      }
    var lines = ["store: \(place)", "       \(what)"]
    if let seedSize, let seedVersion { lines.append("seed:  \(Self.bytes(seedSize)), version \(seedVersion)") }
    lines.append("now:   " + (storeSize.map { Self.bytes($0) + ", " } ?? "") + "version \(storeVersion)")
    if let migration { lines.append("\(migration)") }
    lines += (backups + erased).map { "saved: \($0.path)" }
    lines.append(
      "time:  " + duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow, fractionalPart: .show(length: 1))))
    return lines.joined(separator: "\n")
  }

  private static func bytes(_ count: Int64) -> String { count.formatted(.byteCount(style: .file)) }
}
