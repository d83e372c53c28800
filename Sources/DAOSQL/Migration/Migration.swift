import DAOCriteria

/// How a store that is there comes to fit the app's entities.
///
/// What the entities have and the store has not is added by itself: tables, attributes, indexes, relationships, search tables, views. What
/// has `renamedFrom` is renamed. A change that could mean several things, or lose something, is an error until a hint says what is meant;
/// the error names the hints that fit.
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
/// All of it is one transaction, which commits when the store fits, no row has been lost and no foreign key is broken. Hints and steps stay
/// in the app for as long as stores of the old form may be around; where there is nothing left for them to do, they do nothing.
public struct Migration: Sendable {
  /// The hints for changes that the entities alone do not determine.
  public let hints: [Migration.Hint]
  /// Steps of one's own, by the version that they lead to.
  public let steps: [Migration.Script]
  /// Called with each step as it begins.
  public let progress: (@Sendable (Migration.Progress) -> Void)?

  /// A migration that follows from the entities alone.
  public static let automatic = Migration()

  /// A migration.
  /// - Parameters:
  ///   - hints: what the entities alone do not say.
  ///   - steps: steps of one's own; each runs where the store's `PRAGMA user_version` is lower than the step's, in the order of their
  ///     versions.
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
