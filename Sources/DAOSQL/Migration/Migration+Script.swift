import DAOCriteria

extension Migration {
  /// A custom step of a migration, which runs once for each store: where its `PRAGMA user_version` is lower than the step's version.
  ///
  /// ```swift
  /// .between(2, "one name instead of two") { store in
  ///   _ = try store.execute("UPDATE zone SET name = region || '/' || city")
  /// }
  /// ```
  ///
  /// It runs inside the migration's transaction; an error that it throws undoes the whole migration. Foreign keys take no action meanwhile
  /// (no row is deleted by a cascade); they have to hold at the end.
  ///
  /// A store that is upgraded to a newer seed (`SeedPolicy.upgrade`) takes the step, and the old seed and the new one take it too if their
  /// versions are lower: only then has a row the same result in all three. The result of a step is therefore to follow from the rows alone.
  /// With a random id, the time of day or a count of the user's rows in it, each row of the seed would seem to be edited by the user and
  /// deleted, changed or added by the seed.
  ///
  /// A row that a step inserts with a DAO that generates its key belongs to the user from then on. Not every store has it: a store made
  /// from a newer seed has that seed's rows, and in a copy of an older seed, which takes the step, the row belongs to the seed (in an
  /// upgrade to that seed the row exists twice). A row with a key that the step gives belongs to the seed in both, and is removed where a
  /// newer seed lacks it. An `INSERT` in SQL text should give a key: SQLite's next number is another one in the store than in its old seed,
  /// which lacks the user's rows.
  public struct Script: Sendable {
    /// When a step runs.
    public enum Time: Sendable, Hashable, CaseIterable {
      /// Before anything else: the tables are as they were.
      case before
      /// After new tables and columns were created, and before old ones are removed.
      case between
      /// When the store matches the entities.
      case after
    }

    /// When it runs.
    public let time: Time
    /// The version that it leads to.
    public let version: Int32
    /// The description of the step, for reports.
    public let name: String
    /// The step itself.
    package let run: @Sendable (any RawSQLStore) throws -> Void

    /// A step that runs while the tables are as they were. It may change them as it likes (`ALTER TABLE …`); the plan is made after it.
    /// - Parameters:
    ///   - version: the version that it leads to.
    ///   - name: its description, for reports.
    ///   - run: the step.
    public static func before(
      _ version: Int32, _ name: String, _ run: @escaping @Sendable (any RawSQLStore) throws -> Void
    ) -> Migration.Script { Migration.Script(time: .before, version: version, name: name, run: run) }

    /// A step that moves values from old tables and columns to new ones: tables and columns have their new names, new ones exist and may
    /// still be null, and types, rules and everything to be dropped are unchanged.
    /// - Parameters: as for ``before(_:_:_:)``.
    public static func between(
      _ version: Int32, _ name: String, _ run: @escaping @Sendable (any RawSQLStore) throws -> Void
    ) -> Migration.Script { Migration.Script(time: .between, version: version, name: name, run: run) }

    /// A step that runs when the store matches the entities, so that DAOs work: `DAOFactory(over: store).runtimeDAO(Zone.self)`.
    /// - Parameters: as for ``before(_:_:_:)``.
    public static func after(
      _ version: Int32, _ name: String, _ run: @escaping @Sendable (any RawSQLStore) throws -> Void
    ) -> Migration.Script { Migration.Script(time: .after, version: version, name: name, run: run) }
  }
}

extension Migration {
  /// The steps that a store of a version has before it, in the order of their versions.
  package func due(_ time: Migration.Script.Time, from version: Int32) -> [Migration.Script] {
    // Stable, so that steps to one version keep their order.
    steps.filter { $0.time == time && $0.version > version }.enumerated()
      .sorted { ($0.element.version, $0.offset) < ($1.element.version, $1.offset) }.map(\.element)
  }
}
