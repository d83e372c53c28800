import DAOCriteria
import GRDB

/// The merge of a newer seed into a store: three sides, the old seed as the base.
///
/// It runs inside a transaction on the store, with the base and the new seed attached and foreign keys off, so that nothing cascades:
///
/// 1. What differs between base and seed is collected, table by table, each row with what the store has of it (`+Delta`). Rows that the
///    seed did not change are not looked at.
/// 2. The policy decides about rows that the user changed too (`+Decide`).
/// 3. What would leave a reference without its row, or a unique value twice, is taken back, until nothing is left to take back (`+Settle`).
/// 4. The rest is done, and foreign keys are checked (`+Apply`).
///
/// Each table has its changes in a temporary table with a row for each: `kind`, `act` and `why` are ``MergeKind``, ``MergeAct`` and
/// ``MergeReason``; `cause` is the change that a row of the user's makes room for; `o0`, `o1`, … is the identity of the store's row, null where
/// it has none; `c0`, `c1`, … are the values to put, of a row to delete those that it had in the base.
struct SeedMerge {
  /// A conflict, the change that it is about, and what was decided.
  struct Found {
    let table: Int
    let change: Int64
    let conflict: SeedConflict
    let decision: ConflictDecision
  }

  let db: Database
  let policy: ConflictPolicy
  let tables: [MergeTable]
  /// The numbers of the tables that have changes.
  private(set) var active: [Int] = []
  var conflicts: [Found] = []
  /// The pairs of rows with equal unique values that the policy was asked about.
  var asked: Set<UniquePair> = []

  /// A merge into the database's main file from those attached under the names of ``MergeSide``.
  /// - Parameter store: the store's path, for errors.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` where the store has no place for what the seed has.
  init(in db: Database, store: String, _ policy: ConflictPolicy) throws {
    self.db = db
    self.policy = policy
    tables = try MergeTable.all(in: db, store: store)
  }

  /// Merges.
  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)`` where a rule of the schema stands against the merged rows, what the
  ///   policy's closure throws, and the engine's errors. The transaction is to be rolled back then.
  mutating func run() throws -> [SeedUpgradeReport.Table] {
    for table in tables { try collectChanges(of: table) }
    active = try tables.filter { try has("1", in: $0) }.map(\.number)
    for number in active { try index(tables[number]) }
    for number in active { try decide(tables[number]) }
    try settle()
    try apply()
    return try report()
  }

  /// Whether a table has changes of which a condition holds.
  func has(_ condition: String, in table: MergeTable) throws -> Bool {
    try db.bareRows("SELECT EXISTS (SELECT 1 FROM \(table.changes) WHERE \(condition))") { $0.bool(0) } == [true]
  }

  /// Runs a statement that changes rows.
  /// - Returns: whether it did.
  func change(_ sql: String) throws -> Bool {
    try db.run(sql)
    return db.changesCount > 0
  }

  /// Changes are found by the row that they are about, and by what is referenced of them.
  private func index(_ table: MergeTable) throws {
    func index(_ name: String, _ parts: [String]) throws {
      try db.run("CREATE INDEX temp.\(table.changesName)_\(name) ON \(table.changesName) (\(parts.joined(separator: ", ")))")
    }
    try index("o", zip(table.identityInChanges, table.identity).map { $0 + $1.collation })
    var done: [MergeTable.Columns] = []
    for reference in tables.flatMap(\.references) where reference.target == table.number && !done.contains(reference.targetColumns) {
      try index("r\(done.count)", table.changedColumns(reference.targetColumns))
      done.append(reference.targetColumns)
    }
    guard try has("why = \(MergeReason.conflict.rawValue)", in: table) else { return }
    for (number, unique) in table.uniques.enumerated() { try index("u\(number)", table.changedColumns(unique)) }
  }
}

extension MergeTable {
  /// Columns of the changes with the collations by which they are equal.
  func changedColumns(_ columns: Columns) -> [String] {
    zip(columns.positions, columns.collations).map { changed($0) + Self.collate($1) }
  }

  /// A row `m` of the store and a change `d` have equal values.
  func equal(_ columns: Columns, mine m: String, changed d: String) -> String {
    zip(columns.positions, columns.collations).map {
      "\(m).\(self.columns[$0].quoted)\(Self.collate($1)) = \(d).\(changed($0))"
    }.joined(separator: " AND ")
  }
}
