import DAOSQL

/// A table of the store as the merge sees it: what base and new seed have of it, and how its rows are told apart.
///
/// In statements `m`, `b` and `s` are the row in the store, in the base and in the new seed. Everything is compared by its bytes, whatever
/// a column's collation is, except keys, unique values and references, which are compared as the schema does.
struct MergeTable {
  /// A column that can be written.
  struct Column {
    let name: String
    let collation: String
    /// The SQL of its default; what a side has that lacks the column.
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

  /// Its place among the store's tables.
  let number: Int
  /// Its names in the store, the base and the new seed; nil where it is not there.
  let name: String
  let nameInBase: String?
  let nameInSeed: String?
  let columns: [Column]
  /// The declared key; without one, rows are told apart by all they hold.
  let key: Columns
  /// Whether a key may be null, which is equal to no other.
  let mayHaveNullKeys: Bool
  /// What tells a row of the store: the name of its row id, or its key's columns; each quoted, and with the collation by which it is
  /// searched.
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
  /// What it references.
  var references: [Reference] = []
  /// The columns of foreign keys to tables that the store does not have.
  var columnsToNoTable: [[Int]] = []

  var quoted: String { "main." + name.quotedIdentifier }

  /// The temporary table of its changes; see ``SeedMerge``.
  var changes: String { "temp.\(changesName)" }
  var changesName: String { "dao_change_\(number)" }
  var bag: String { "temp.dao_bag_\(number)" }

  var allPositions: Range<Int> { columns.indices }

  /// A row's values in the new seed, given what the base and the store have where the seed lacks a column.
  func theirs(_ position: Int) -> String {
    let column = columns[position]
    return column.isInSeed ? "s.\(column.quoted)" : base(position)
  }

  func base(_ position: Int) -> String {
    let column = columns[position]
    return column.isInBase ? "b.\(column.quoted)" : column.defaultSQL
  }

  func mine(_ position: Int) -> String { "m.\(columns[position].quoted)" }

  /// The names of a row's values in ``changes``.
  func changed(_ position: Int) -> String { "c\(position)" }

  func identity(of alias: String) -> [String] { identity.map { "\(alias).\($0.name)" } }
  var identityInChanges: [String] { identity.indices.map { "o\($0)" } }

  /// Whether a row is of the part that has keys.
  func hasKey(_ alias: String) -> [String] {
    mayHaveNullKeys ? key.positions.map { "\(alias).\(columns[$0].quoted) IS NOT NULL" } : []
  }

  /// Whether a row is of the part that has none.
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

  /// The store's row `m` is the one that the change `d` is about.
  func isAbout(_ d: String, _ m: String) -> String {
    zip(identityInChanges, identity).map { "\(m).\($1.name)\($1.collation) = \(d).\($0)" }.joined(separator: " AND ")
  }

  /// The base's row `b` has the key of the change `d`.
  func isBase(_ b: String, of d: String) -> String {
    zip(key.positions, key.collations).map { position, collation in
      "\(b).\(columns[position].quoted)\(Self.collate(collation)) = \(d).\(changed(position))"
    }.joined(separator: " AND ")
  }

  /// The store's row `m` goes away or is put anew.
  func isOverridden(_ m: String) -> String {
    "EXISTS (SELECT 1 FROM \(changes) AS x WHERE \(isAbout("x", m)) AND x.act <> \(MergeAct.keep.rawValue))"
  }

  /// Whether two lists of values are the same, to the byte.
  static func same(_ a: [String], _ b: [String]) -> String {
    a.isEmpty ? "1" : "(\(a.map { "\($0) COLLATE BINARY" }.joined(separator: ", "))) IS (\(b.joined(separator: ", ")))"
  }

  static func collate(_ collation: String) -> String { " COLLATE \(collation.quotedIdentifier)" }
}

/// What is done to a row.
enum MergeAct: Int {
  /// It stays as it is in the store, or out of it.
  case keep = 0
  /// It is put in, in place of the store's row where there is one.
  case put = 1
  case delete = 2
}

/// What the seed did to a row.
enum MergeKind: Int {
  case added = 0
  case changed = 1
  case deleted = 2
  /// Nothing: it is a row of the user's that makes room for one of the seed's.
  case inTheWay = 3
}

/// Why a row is kept.
enum MergeReason: Int {
  case none = 0
  /// Another row references it.
  case referenced = 1
  /// It references a row that is not there.
  case heldBack = 2
  /// Another row has values of it that are unique.
  case blocked = 3
  /// Both sides changed it.
  case conflict = 4
  /// SQLite does not take it.
  case refused = 5
}
