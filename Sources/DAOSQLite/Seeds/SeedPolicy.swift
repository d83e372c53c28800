import DAOCriteria

/// The time at which a store is made from its seed, and the treatment of the store when the app ships another seed.
///
/// Seeds are distinguished by the file's header (the size, the `user_version` and the counters that SQLite moves with each change of rows
/// or schema) and, where it was packed (``SeedPacker``), by the digest that it carries of its content. A start therefore costs the same for
/// any size. A seed that is not packed and is created again, by the same steps from other data, may have the same counters: raise
/// `user_version` with each seed that you ship.
public enum SeedPolicy: Sendable {
  /// Once; an existing store is used as it is.
  case copyIfMissing
  /// Whenever the shipped seed is not the one that the store was made from. The old store stays beside the new one as a backup until the
  /// new one has opened.
  case replace
  /// Whenever the shipped seed is not the one that the store was made from or last upgraded to, the two are merged, in one transaction:
  ///
  /// - rows that the user never touched follow the seed: changed, added, deleted;
  /// - rows that the user edited, added or deleted stay as they are;
  /// - `conflicts` decides about rows that both changed, and about a row of the seed with a unique value that a row of the user's has
  ///   already;
  /// - a row that the seed deleted stays if a remaining row references it; a row of the seed that references a row deleted by the user is
  ///   not inserted. Foreign keys hold afterwards as they did before.
  ///
  /// Each of these is in the report (``BootstrapReport/Outcome-swift.enum/upgraded(_:)``).
  /// ``StoreBootstrapper/previewUpgrade(of:conflicts:)`` makes the report alone.
  ///
  /// ```swift
  /// .file(url, seed: .resource("clock.sqlite", in: .module), policy: .upgrade(conflicts: .byColumn))
  /// ```
  ///
  /// A change that is held back because of a reference or a unique value is tried again after others; each reason in the report holds when
  /// the merge is done. A row of the seed that was not inserted counts from then on as deleted by the user: where a later seed changes it,
  /// `conflicts` decides.
  ///
  /// A row of the user's with a generated key that a row of the new seed has too is another row: no policy decides about it. It gets a key
  /// from 2^40 on, in all rows that reference it too, and is reported.
  ///
  /// Rows with the same key are the same row. Rows without a key (their table declares none, or it is null) are the same where all their
  /// values are equal, and are counted. They are never in conflict: a row that the user edited stays beside the seed's version, and a row
  /// that the user deleted returns when the seed changes it. Tables are found by name: a table that only the store has is the user's; one
  /// that only the new seed has is created; one that the new seed lacks stays, and one that the store has dropped stays dropped. A column
  /// that the seed lacks is the user's. Triggers do not fire, since their effects on the seed's rows are in the seed; triggers that keep
  /// search tables in step do. A new table brings its indexes, its triggers and the virtual tables that these fill. On an existing table,
  /// columns, indexes, views and triggers follow the seed where the store has them as the old seed had; those that are not brought are
  /// reported (``SeedUpgradeReport/schema``). A table that a migration has created is as its entity declares it. Other virtual tables are
  /// not merged. A row of the seed that the store's table does not take, for a `CHECK` or `NOT NULL` that the seed's has no longer, is not
  /// inserted.
  ///
  /// A seed of an earlier `user_version` than that of the store is not merged: an older release of the app was started.
  ///
  /// The content of the seed is kept beside the store as the base of the next merge, `<store>.base-`, the seed's fingerprint and a digest
  /// of its bytes; where the file system can share blocks it takes no space. A base whose bytes have changed is refused
  /// (``DAOError/BootstrapProblem/Kind/missingBase``). Versions may be skipped. Keys that the store generates for the user start at 2^40
  /// where a base is kept, and continue after the seed's elsewhere.
  /// - Parameters:
  ///   - conflicts: the decision where both changed the same row.
  ///   - adopting: accepts a store without a base, made before this policy was used, as it is: nothing is merged, and the shipped seed
  ///     becomes the base of the next upgrade. Without it a store without a base is refused
  ///     (``DAOError/BootstrapProblem/Kind/missingBase``), since it is not known which of its rows the user changed. A row of the user's
  ///     with a generated key that a row of the shipped seed has too gets another, as in an upgrade
  ///     (``BootstrapReport/Outcome/adopted(moved:)``): the store notes the highest keys of its seed when it is made. For a store that
  ///     another program has made these are not known, and a row whose key the shipped seed has too counts as the seed's from then on. Rows
  ///     that only the shipped seed has count as deleted by the user: adopt with the seed that most stores were made from, and ship newer
  ///     rows with the release after it.
  case upgrade(conflicts: SeedConflict.Policy, adopting: Bool = false)

  /// Whether the shipped seed is read where a store exists.
  var looksAtSeed: Bool { if case .copyIfMissing = self { false } else { true } }
  /// Whether the seed is kept for a later merge.
  var merges: Bool { if case .upgrade = self { true } else { false } }

  /// Whether the shipped seed replaces the one that a store is of, or is merged. One of an earlier version is not merged: an older release
  /// of the app was started.
  func prefers(_ seed: Seed, to stamp: SeedStamp?) -> Bool {
    guard looksAtSeed else { return false }
    guard let stamp else { return true }
    // A WAL may have a later one.
    let isCertain = !seed.header.isWAL || seed.sidecars.allSatisfy { $0.size == 0 }
    return seed.fingerprint != stamp.fingerprint && !(merges && isCertain && seed.header.userVersion < stamp.version)
  }
}
