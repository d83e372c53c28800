import DAOCriteria

/// When a store is made from its seed, and what becomes of it when the app ships another.
///
/// Seeds are distinguished by the file's header (the size, the `user_version` and the counters that SQLite moves with each change of rows
/// or schema) and, where it was packed (``SeedPacker``), by the digest that it carries of its content. A start therefore costs the same for
/// any size. A seed that is not packed and is made anew, by the same steps from other data, may have the same counters: raise
/// `user_version` with each that you ship.
public enum SeedPolicy: Sendable {
  /// Once; a store that is there is used as it is.
  case copyIfMissing
  /// Whenever the shipped seed is not the one that the store was made from. The old store stays beside the new one as a backup until the
  /// new one has opened.
  case replace
  /// Whenever the shipped seed is not the one that the store was made from or last upgraded to, the two are merged, in one transaction:
  ///
  /// - rows that the user never touched follow the seed: changed, added, deleted;
  /// - rows that the user edited, added or deleted stay as they are;
  /// - what both changed goes to `conflicts`, and so does a row of the seed with a unique value that a row of the user's has already;
  /// - a row that the seed deleted stays where a row that stays references it; a row of the seed that references one which the user deleted
  ///   is not put in. Foreign keys hold afterwards as they did before.
  ///
  /// Each of these is in the report (``BootstrapReport/Outcome-swift.enum/upgraded(_:)``).
  /// ``StoreBootstrapper/previewUpgrade(of:conflicts:)`` makes the report alone.
  ///
  /// ```swift
  /// .file(url, seed: .resource("clock.sqlite", in: .module), policy: .upgrade(conflicts: .byColumn))
  /// ```
  ///
  /// A change that is held back for a reference or a unique value is tried again when others have been made; each reason in the report
  /// holds when the merge is done. A row of the seed that stayed out counts from then on as one that the user deleted: where a later seed
  /// changes it, `conflicts` decides.
  ///
  /// A row of the user's with a generated key that a row of the new seed has too is another row: no policy decides about it. It gets a key
  /// from 2^40 on, in all rows that reference it too, and is reported.
  ///
  /// Rows are the same row where they have the same key. Rows without one (their table declares none, or it is null) are the same where all
  /// they hold is equal, and are counted; they are never in conflict: one that the user edited stays beside what the seed makes of it, and
  /// one that the user deleted comes back when the seed changes it. Tables are found by name: one that only the store has is the user's;
  /// one that only the new seed has is made; one that the new seed lacks, and one that the store has dropped, stay as they are. A column
  /// that the seed lacks is the user's. Triggers do not fire, since what they made of the seed's rows is in the seed; those that keep
  /// search tables in step do. With a new table come its indexes, its triggers and the virtual tables that these fill. On a table that is
  /// there, columns, indexes, views and triggers follow the seed where the store has them as the old seed had; those that are not brought
  /// are reported (``SeedUpgradeReport/schema``). A table that a migration has made of its entity has what the entity says. Other virtual
  /// tables are not merged. A row of the seed that the store's table does not take, for a `CHECK` or `NOT NULL` that the seed's has no
  /// more, stays out.
  ///
  /// A seed of an earlier `user_version` than the one that the store is of is not merged: an older release of the app was started.
  ///
  /// What the seed held is kept beside the store as the base of the next merge, `<store>.base-`, the seed's fingerprint and a digest of its
  /// bytes; where the file system can share blocks it takes no room. One whose bytes have changed is refused
  /// (``DAOError/BootstrapProblem/Kind/missingBase``). Versions may be skipped. Keys that the store generates for the user start at 2^40
  /// where such a base is kept, and continue after the seed's elsewhere.
  /// - Parameters:
  ///   - conflicts: who is right where both changed the same row.
  ///   - adopting: allows a store without a base, made before this policy was, to be taken as it is: nothing is merged, and the shipped
  ///     seed becomes the base of the next upgrade. Without this word such a store is refused
  ///     (``DAOError/BootstrapProblem/Kind/missingBase``), since it is not known which of its rows the user changed. A row of the user's
  ///     with a generated key that a row of the shipped seed has too gets another, as in an upgrade
  ///     (``BootstrapReport/Outcome/adopted(moved:)``): the store notes the highest keys of its seed when it is made. Where another program
  ///     has made it, that is not known, and a row whose key the shipped seed has too counts as that seed's from then on. What only the
  ///     shipped seed has counts as deleted by the user: adopt with the seed that most stores were made from, and ship newer rows with the
  ///     release after it.
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
