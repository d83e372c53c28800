import DAOCriteria

/// The migration of an existing store to the app's entities.
///
/// Parts that the entities have and the store lacks are added automatically: tables, attributes, indexes, relationships, search tables,
/// views. Parts with `renamedFrom` are renamed. A change that is ambiguous, or could lose data, is an error until a hint decides it; the
/// error names the possible hints.
///
/// ```swift
/// .file(url, version: 3, migration: Migration(
///   .fill("zone", "population", with: 0),                        // the attribute is required now
///   .convert("zone", "elevation") { .real(($0.number ?? 0) * 0.3048) },
///   .drop("zone", "legacy_code"),
///   steps: [
///     .between(2, "one name instead of two") { store in
///       _ = try store.execute("UPDATE zone SET name = region || '/' || city")
///     },
///   ]))
/// ```
///
/// The migration is one transaction, which commits when the store matches, no row has been lost and no foreign key is broken. Hints and
/// steps stay in the app for as long as stores of the old form may be around; where there is nothing left for them to do, they do nothing.
public struct Migration: Sendable {
  /// The hints for changes that the entities alone do not determine.
  public let hints: [Migration.Hint]
  /// Custom steps, by the version that they lead to.
  public let steps: [Migration.Script]
  /// Called with each step as it begins.
  public let progress: (@Sendable (Migration.Progress) -> Void)?

  /// A migration that follows from the entities alone.
  public static let automatic = Migration()

  /// A migration.
  /// - Parameters:
  ///   - hints: decisions that the entities alone do not determine.
  ///   - steps: custom steps; each runs where the store's `PRAGMA user_version` is lower than the step's, in the order of their versions.
  ///   - progress: is called with each step as it begins, on the thread that opens the store.
  public init(
    _ hints: Migration.Hint..., steps: [Migration.Script] = [], progress: (@Sendable (Migration.Progress) -> Void)? = nil
  ) {
    self.init(hints, steps: steps, progress: progress)
  }

  /// A migration with hints that are in a list.
  public init(_ hints: [Migration.Hint], steps: [Migration.Script] = [], progress: (@Sendable (Migration.Progress) -> Void)? = nil) {
    self.hints = hints
    self.steps = steps
    self.progress = progress
  }
}
