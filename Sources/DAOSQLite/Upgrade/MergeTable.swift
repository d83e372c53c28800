import DAOSQL

/// A table of the store as the merge sees it: its form in the base and the new seed, and how its rows are distinguished.
///
/// In statements `mine`, `base` and `theirs` are the row in the store, in the base and in the new seed, and `change` is a row of
/// ``changes``. Everything is compared by its bytes, whatever a column's collation is, except keys, unique values and references, which are
/// compared as the schema does.
struct MergeTable {
  /// A column that can be written.
  struct Column {
    let name: String
    let collation: String
    /// The SQL of its default; the value of a side that lacks the column.
    let defaultSQL: String
    let isInBase: Bool
    let isInSeed: Bool

    var quoted: String { name.quotedIdentifier }
  }

  /// Columns, by their positions, and the collations by which their values are equal.
  struct Columns: Equatable {
    let positions: [Int]
    let collations: [String]
  }

  /// A foreign key of the table.
  struct Reference {
    let columns: [Int]
    /// The number of the table that it leads to.
    let target: Int
    let targetColumns: Columns
    /// Whether the table can be searched by it.
    let isIndexed: Bool
    /// Whether it leads to the key, which never changes.
    let isToKey: Bool
  }

  /// Its position among the store's tables.
  let number: Int
  /// Its names in the store, the base and the new seed; nil where it is not there.
  let name: String
  let nameInBase: String?
  let nameInSeed: String?
  let columns: [Column]
  /// The declared key; without one, rows are distinguished by all their values.
  let key: Columns
  /// Whether a key may be null, which is equal to no other.
  let mayHaveNullKeys: Bool
  /// The columns that identify a row of the store: the name of its row id, or its key's columns; each quoted, and with the collation by
  /// which it is searched.
  let identity: [(name: String, collation: String)]
  /// Whether ``identity`` is a row id that is no column of its own.
  let hasHiddenRowID: Bool
  /// Whether ``identity`` is a column that holds the row id.
  let hasIntegerKey: Bool
  /// Whether the keys are numbers that the store generates. One that is a reference is the number of the row that it leads to.
  var generatesKeys: Bool
  /// Whether the table's own rules say what becomes of a row that breaks them (`ON CONFLICT`), which a merge is not to follow.
  let hasConflictRules: Bool
  /// Whether each row has an identity. A row without a key has none where its columns have taken all names of the row id.
  let canTellRowsApart: Bool
  /// Whether it references anything, be it by computed columns.
  let hasForeignKeys: Bool
  /// Columns that are unique together, the key left out.
  let uniques: [Columns]
  /// The column that numbers the changes of a row. It is not compared, and each change raises it.
  let version: Int?
  /// The references of the table.
  var references: [Reference] = []
  /// The columns of foreign keys to tables that the store does not have.
  var columnsToNoTable: [[Int]] = []

  var quoted: String { "main." + name.quotedIdentifier }
  var quotedInBase: String? { nameInBase.map { "\(MergeSide.base.rawValue).\($0.quotedIdentifier)" } }
  var quotedInSeed: String? { nameInSeed.map { "\(MergeSide.seed.rawValue).\($0.quotedIdentifier)" } }

  /// The temporary table of its changes; see ``SeedMerge``.
  var changes: String { "temp.\(changesName)" }
  var changesName: String { "dao_change_\(number)" }
  var bag: String { "temp.dao_bag_\(number)" }

  var allPositions: Range<Int> { columns.indices }
  /// The columns by which rows are the same.
  var comparedPositions: [Int] { allPositions.filter { $0 != version } }
  var comparedColumns: [Column] { comparedPositions.map { columns[$0] } }

  /// The version after another, which need not be an integer; after the largest, and after null, comes 1.
  static func nextVersion(_ version: String) -> String {
    "coalesce(nullif(CAST(\(version) AS INTEGER), 9223372036854775807), 0) + 1"
  }

  /// A row's values in the new seed, given what the base and the store have where the seed lacks a column.
  func theirs(_ position: Int) -> String {
    let column = columns[position]
    return column.isInSeed ? "theirs.\(column.quoted)" : base(position)
  }

  func base(_ position: Int) -> String {
    let column = columns[position]
    return column.isInBase ? "base.\(column.quoted)" : column.defaultSQL
  }

  func mine(_ position: Int) -> String { "mine.\(columns[position].quoted)" }

  /// The names of a row's values in ``changes``.
  func changed(_ position: Int) -> String { "c\(position)" }

  func identity(of alias: String) -> [String] { identity.map { "\(alias).\($0.name)" } }
  var identityInChanges: [String] { identity.indices.map { "o\($0)" } }

  /// Whether a row is of the part that has keys.
  func hasKey(_ alias: String) -> [String] {
    mayHaveNullKeys ? key.positions.map { "\(alias).\(columns[$0].quoted) IS NOT NULL" } : []
  }

  /// Whether a row has no key.
  func lacksKey(_ alias: String) -> String {
    key.positions.isEmpty ? "1" : "(" + key.positions.map { "\(alias).\(columns[$0].quoted) IS NULL" }.joined(separator: " OR ") + ")"
  }

  /// `a` and `b` have the same key; `a` is the one that is searched.
  func sameKey(_ a: String, _ b: String) -> String {
    zip(key.positions, key.collations).map { position, collation in
      let column = columns[position]
      // Named only where it is needed: a row id is found without.
      return "\(a).\(column.quoted)\(collation == column.collation ? "" : Self.collate(collation)) = \(b).\(column.quoted)"
    }.joined(separator: " AND ")
  }

  /// A row of the store is the one that a change is about.
  func isAbout(_ change: String, _ row: String) -> String {
    zip(identityInChanges, identity).map { "\(row).\($1.name)\($1.collation) = \(change).\($0)" }.joined(separator: " AND ")
  }

  /// The row `base` has the key of the row `change`.
  var isBaseOfChange: String {
    zip(key.positions, key.collations).map { position, collation in
      "base.\(columns[position].quoted)\(Self.collate(collation)) = change.\(changed(position))"
    }.joined(separator: " AND ")
  }

  /// Whether a row of the store is deleted or replaced.
  func isOverridden(_ row: String) -> String {
    "EXISTS (SELECT 1 FROM \(changes) AS own WHERE \(isAbout("own", row)) AND own.act <> \(MergeAct.keep.rawValue))"
  }

  /// A row of the store has a change of its own, whatever becomes of it.
  func hasChange(_ row: String) -> String { "EXISTS (SELECT 1 FROM \(changes) AS own WHERE \(isAbout("own", row)))" }

  /// Whether two lists of values are the same, to the byte.
  static func same(_ a: [String], _ b: [String]) -> String {
    a.isEmpty ? "1" : "(\(a.map { "\($0) COLLATE BINARY" }.joined(separator: ", "))) IS (\(b.joined(separator: ", ")))"
  }

  static func collate(_ collation: String) -> String { " COLLATE \(collation.quotedIdentifier)" }
}
