import DAOCriteria
import GRDB

/// The merge of a newer seed into a store: three sides, the old seed as the base.
///
/// It runs inside a transaction on the store, with the base and the new seed attached and foreign keys off, so that nothing cascades:
///
/// 1. The differences between base and seed are collected, table by table, each row with what the store has of it (``MergeDelta``). Rows
///    that the seed did not change are not read.
/// 2. Rows of the user's under keys of the new seed's rows get keys of the user's range (``KeyMove``).
/// 3. The policy decides about rows that the user changed too (`+Decide`).
/// 4. Changes that would leave a reference without its row, or a unique value twice, are held back (`+Settle`), and tried again where their
///    reason may not hold any more (`+Retry`).
/// 5. The rest is done, and foreign keys are checked (`+Apply`).
///
/// Each table has its changes in a temporary table with a row for each: `kind`, `act`, `wish` and `why` are ``MergeKind``, ``MergeAct``
/// (done, and to be done) and ``MergeReason``; `made` is whether the row was merged from both sides; `turn` is the last round in which it
/// was tried; `o0`, `o1`, … is the identity of the store's row, null where it has none; `c0`, `c1`, … are the values to put, of a row to
/// delete those that it had in the base. In statements `change` is such a row, `other` is another one, and `own` is the one about a row of
/// the store.
struct SeedMerge {
  /// A conflict, its change, and the decision.
  struct Found {
    let change: MergeChange
    let conflict: SeedConflict
    let decision: SeedConflict.Decision
  }

  let db: Database
  let policy: SeedConflict.Policy
  let tables: [MergeTable]
  /// The numbers of the tables that have changes.
  private(set) var active: [Int] = []
  /// The keys that rows of the user's have left for the seed's.
  var keys: KeyMove
  /// Rows that both sides changed, and rows that SQLite does not take.
  var conflicts: [Found] = []
  /// The policy's decisions about pairs of rows with equal unique values.
  var answers: [UniquePair: Found] = [:]
  /// The number of the current round; nil in one about all changes.
  var round: Int?
  /// How many numbers rounds have had.
  var rounds = 0
  /// Whether the current round chose between changes that exclude each other. Changes that it held back may then be possible after all.
  var hasChosen = false
  /// Rows of the user's that can't make room for one of the seed's in this round.
  var stubborn: Set<MergeRowIdentity> = []
  /// Rows of the user's that make room or did, and the numbers of their changes.
  var rooms: [Int: [MergeRowIdentity: Int64]] = [:]
  /// The tables with rows that were put together.
  var made: Set<Int> = []
  private var indexed: Set<Int> = []

  /// A merge into the database's main file from those attached under the names of ``MergeSide``.
  /// - Parameters:
  ///   - store: the store's path, for errors.
  ///   - naturalKeys: the tables whose integer keys have a meaning and are never generated.
  ///   - versions: the columns that number the changes of a row, by their tables.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` where the seed has another key than the store.
  init(
    in db: Database, store: String, _ policy: SeedConflict.Policy, naturalKeys: Set<SchemaName> = [],
    versions: [SchemaName: SchemaName] = [:]
  ) throws {
    self.db = db
    self.policy = policy
    tables = try MergeTable.all(in: db, store: store, naturalKeys: naturalKeys, versions: versions)
    keys = KeyMove(in: db, tables)
  }

  /// Merges.
  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)`` where a rule of the schema stands against the merged rows, what the
  ///   policy's closure throws, and the engine's errors. The transaction is to be rolled back then.
  mutating func run() throws -> [SeedUpgradeReport.Table] {
    try db.trustSearchTriggers()
    for table in tables { try MergeDelta(db: db, table: table).collect() }
    try keys.move(of: tables) { _ in KeyMove.isTaken }
    active = try tables.filter { try db.hasChanges(of: $0, where: "1") }.map(\.number)
    for table in activeTables { try index(table) }
    for table in activeTables { try decide(table) }
    try settle()
    try apply()
    return try report()
  }

  var activeTables: [MergeTable] { active.map { tables[$0] } }

  /// Changes are looked up by their row, and by their referenced columns.
  private func index(_ table: MergeTable) throws {
    try index(table, "o", zip(table.identityInChanges, table.identity).map { $0 + $1.collation })
    var done: [MergeTable.Columns] = []
    for reference in tables.flatMap(\.references) where reference.target == table.number && !done.contains(reference.targetColumns) {
      try index(table, "r\(done.count)", table.changedColumns(reference.targetColumns))
      done.append(reference.targetColumns)
    }
  }

  /// Changes are found by their unique values too, where any two of them can have the same.
  mutating func indexUniqueValues(of table: MergeTable) throws {
    guard indexed.insert(table.number).inserted else { return }
    for (number, unique) in table.uniques.enumerated() { try index(table, "u\(number)", table.changedColumns(unique)) }
  }

  func index(_ table: MergeTable, _ name: String, _ parts: [String], where condition: String? = nil) throws {
    try db.run(
      """
      CREATE INDEX IF NOT EXISTS temp.\(table.changesName)_\(name)
      ON \(table.changesName) (\(parts.listed)) \(condition.map { "WHERE \($0)" } ?? "")
      """)
  }
}
