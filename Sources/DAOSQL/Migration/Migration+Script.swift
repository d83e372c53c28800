import DAOCriteria

extension Migration {
  /// A step of a migration in one's own words, which runs once for each store: where its `PRAGMA user_version` is lower than the step's
  /// version.
  ///
  /// ```swift
  /// .between(2, "one name instead of two") { store in
  ///   _ = try store.execute("UPDATE zone SET name = region || '/' || city")
  /// }
  /// ```
  ///
  /// It runs inside the migration's transaction; what it throws undoes the whole migration. Foreign keys take no action meanwhile (nothing
  /// is deleted along); they have to hold at the end.
  ///
  /// A store that is upgraded to a newer seed (`SeedPolicy.upgrade`) takes the step, and so do the old seed and the new one where their
  /// versions are lower: only then is what a row became the same in all three. The result of a step is therefore to follow from the rows
  /// alone. With a random id, the time of day or a count of the user's rows in it, each row of the seed would seem to be edited by the user
  /// and deleted, changed or added by the seed.
  ///
  /// What a step inserts into a store is the user's from then on, if it goes in by a DAO that generates its key; it is therefore not in
  /// each store: one that is made of a newer seed has what that seed has, and in a copy of an older seed, which takes the step, it is the
  /// seed's (in an upgrade to such a seed it is there twice). With a key that the step gives it is the seed's in both, and goes where a
  /// newer seed lacks it. An `INSERT` in SQL text is to give a key: SQLite's next number is another one in the store than in its old seed,
  /// which lacks the user's rows.
  public struct Script: Sendable {
    /// When a step runs.
    public enum Time: Sendable, Hashable, CaseIterable {
      /// Before anything else: the tables are as they were.
      case before
      /// When what is new is there, and what goes is not yet gone.
      case between
      /// When the store fits the entities.
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

    /// A step that runs while the tables are as they were. It may change them as it likes (`ALTER TABLE …`); the plan is made of what it
    /// leaves.
    /// - Parameters:
    ///   - version: the version that it leads to.
    ///   - name: what it does, for reports.
    ///   - run: the step.
    public static func before(
      _ version: Int32, _ name: String, _ run: @escaping @Sendable (any RawSQLStore) throws -> Void
    ) -> Migration.Script { Migration.Script(time: .before, version: version, name: name, run: run) }

    /// A step that takes values from what goes to what is new: tables and columns have their new names, those that are new are there and
    /// may still be null, and types, rules and what is to be dropped are as they were.
    /// - Parameters: as for ``before(_:_:_:)``.
    public static func between(
      _ version: Int32, _ name: String, _ run: @escaping @Sendable (any RawSQLStore) throws -> Void
    ) -> Migration.Script { Migration.Script(time: .between, version: version, name: name, run: run) }

    /// A step that runs when the store fits the entities, so that DAOs work: `DAOFactory(over: store).runtimeDAO(Zone.self)`.
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
