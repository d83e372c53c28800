import DAOCriteria

/// A store's own tables and views, as plain values.
///
/// An engine reads it from the store; ``description(of:)`` makes an entity of one table.
/// Names are found without regard to ASCII case, as SQLite finds them.
package struct StoreSchema: Sendable, Hashable {
  /// The tables and views, by name.
  package let tables: [Table]
  // The position of each table by its name. A store may have thousands, and each is looked up for its entity, foreign keys and indexes.
  private let positions: [SchemaName: Int]

  /// A schema of these tables and views.
  package init(tables: [Table]) {
    self.tables = tables
    positions = Dictionary(tables.indices.map { (SchemaName(tables[$0].name), $0) }, uniquingKeysWith: min)
  }

  /// The table or view of this name, if there is one.
  package subscript(name: String) -> Table? { positions[SchemaName(name)].map { tables[$0] } }

  // `positions` is derived from `tables`.
  package static func == (left: StoreSchema, right: StoreSchema) -> Bool { left.tables == right.tables }

  package func hash(into hasher: inout Hasher) { hasher.combine(tables) }

  /// The columns that a foreign key leads to: those that it names, else the primary key of its table.
  package func columns(of key: ForeignKey) -> [String] {
    key.targetColumns.isEmpty ? self[key.table]?.primaryKey ?? [] : key.targetColumns
  }
}

extension StoreSchema {
  /// A table or view.
  package struct Table: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// Whether it is a view, whose columns have names and, where they come straight from a table, types, but no rules.
    package let isView: Bool
    /// Its columns, in the order of `SELECT *`.
    package var columns: [Column]
    /// Its indexes, those behind UNIQUE and PRIMARY KEY included.
    package let indexes: [Index]
    /// Its foreign keys.
    package var foreignKeys: [ForeignKey]
    /// The columns that are stated to be the key of a view; empty where nothing is.
    package var statedKey: [String] = []
    /// Whether it is declared `WITHOUT ROWID`.
    package let isWithoutRowID: Bool
    /// Whether it is declared `STRICT`: its columns have none but SQLite's own type names.
    package let isStrict: Bool
    /// Its search table, if it has one.
    package var search: SearchTable?
    /// Why SQLite can't tell the columns of a view; nil where it can.
    package let problem: String?

    /// A table or view.
    package init(
      name: String, isView: Bool = false, columns: [Column], indexes: [Index] = [], foreignKeys: [ForeignKey] = [],
      isWithoutRowID: Bool = false, isStrict: Bool = false, search: SearchTable? = nil, problem: String? = nil
    ) {
      self.name = name
      self.isView = isView
      self.columns = columns
      self.indexes = indexes
      self.foreignKeys = foreignKeys
      self.isWithoutRowID = isWithoutRowID
      self.isStrict = isStrict
      self.search = search
      self.problem = problem
    }

    /// The column of this name, if there is one.
    package subscript(column: String) -> Column? { columns.first { SchemaName.same($0.name, column) } }

    /// The declared primary key's columns, in the key's order; empty where none is declared.
    package var primaryKey: [String] {
      columns.filter { $0.primaryKeyPosition > 0 }.sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
    }

    /// The column that is the row id under another name, which SQLite fills by itself: `INTEGER PRIMARY KEY`
    /// (sqlite.org/lang_createtable.html, section 5; `DESC` makes an ordinary key, seen by the index behind it).
    package var integerPrimaryKey: String? {
      guard !isView, !isWithoutRowID, primaryKey.count == 1, let key = primaryKey.first, let column = self[key],
        SchemaName.same(column.declaredType, "INTEGER"), !indexes.contains(where: { $0.origin == .primaryKey })
      else { return nil }
      return column.name
    }

    /// Whether a column is the row id under another name.
    package func isIntegerPrimaryKey(_ column: Column) -> Bool { integerPrimaryKey.map { SchemaName.same($0, column.name) } ?? false }

    /// A name by which the row id can be reached where no key is declared, if a column has not taken them all.
    package var implicitRowID: String? {
      guard !isView, !isWithoutRowID, primaryKey.isEmpty else { return nil }
      return ["rowid", "_rowid_", "oid"].first { self[$0] == nil }
    }
  }

  /// A column.
  package struct Column: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// Its declared type, as written; empty where there is none.
    package let declaredType: String
    /// Whether it is declared `NOT NULL`.
    package let isNotNull: Bool
    /// The SQL of its default, if it has one that is read from a store.
    package let defaultSQL: String?
    /// The value of its default; nil where it has none, or one that is computed for each row.
    package let defaultValue: StoredValue?
    /// Its position in the primary key, counted from 1; 0 outside the key.
    package let primaryKeyPosition: Int
    /// Whether its value is computed (`GENERATED ALWAYS AS`), so that it can't be written.
    package let isGenerated: Bool
    /// How its text is compared: `BINARY` unless it is declared otherwise.
    package let collation: String
    /// The type that is stated beside the store; nil where its declared type says it.
    package var statedType: AttributeType?
    /// The reason why it can't be read: an expression of functions that no schema may call, say.
    package let problem: String?

    /// A column.
    package init(
      name: String, declaredType: String, isNotNull: Bool = false, defaultSQL: String? = nil, defaultValue: StoredValue? = nil,
      primaryKeyPosition: Int = 0, isGenerated: Bool = false, collation: String = "BINARY", problem: String? = nil
    ) {
      self.name = name
      self.declaredType = declaredType
      self.isNotNull = isNotNull
      self.defaultSQL = defaultSQL
      self.defaultValue = defaultValue
      self.primaryKeyPosition = primaryKeyPosition
      self.isGenerated = isGenerated
      self.collation = collation
      self.problem = problem
    }
  }

  /// An index.
  package struct Index: Sendable, Hashable {
    /// The origin of an index.
    package enum Origin: Sendable, Hashable {
      /// `CREATE INDEX`.
      case statement
      /// A UNIQUE constraint of the table.
      case unique
      /// The PRIMARY KEY.
      case primaryKey
    }

    /// Its name.
    package let name: String
    /// Its columns, in order.
    package let columns: [String]
    /// Those of them that are descending.
    package let descending: [String]
    /// Whether no two rows may have the same values.
    package let isUnique: Bool
    /// The origin of the index.
    package let origin: Origin
    /// Whether it holds every row, by columns alone, compared by their bytes. A partial index, one over an expression and one with another
    /// collation is not plain, and stands for no index of an entity.
    package let isPlain: Bool

    /// An index.
    package init(
      name: String, columns: [String], descending: [String] = [], isUnique: Bool, origin: Origin = .statement, isPlain: Bool = true
    ) {
      self.name = name
      self.columns = columns
      self.descending = descending
      self.isUnique = isUnique
      self.origin = origin
      self.isPlain = isPlain
    }
  }

  /// A table's search table: FTS5 under the table's name with `_search` behind it.
  package struct SearchTable: Sendable, Hashable {
    /// Its columns, in order.
    package let columns: [String]
    /// The SQL that it was made with, and that of the table's triggers.
    package let statements: [String]
    /// Whether the table has rows and this none of them: they were there before it.
    package let isBehind: Bool
    /// Whether its words, and the triggers that keep it in step, are those that searchable attributes have.
    package var isComplete: Bool

    /// A search table.
    package init(columns: [String], statements: [String], isBehind: Bool = false, isComplete: Bool) {
      self.columns = columns
      self.statements = statements
      self.isBehind = isBehind
      self.isComplete = isComplete
    }
  }

  /// A foreign key.
  package struct ForeignKey: Sendable, Hashable {
    /// The columns here.
    package let columns: [String]
    /// The table pointed to.
    package let table: String
    /// The columns there; empty where the declaration leaves them to the other table's primary key.
    package let targetColumns: [String]
    /// The action on delete, as SQL spells it.
    package let onDelete: String
    /// The action on an update of the columns there, as SQL spells it.
    package let onUpdate: String
    /// Whether it is stated beside the store, which itself knows nothing of it.
    package let isStated: Bool

    /// A foreign key.
    package init(
      columns: [String], table: String, targetColumns: [String], onDelete: String = "NO ACTION", onUpdate: String = "NO ACTION",
      isStated: Bool = false
    ) {
      self.columns = columns
      self.table = table
      self.targetColumns = targetColumns
      self.onDelete = onDelete
      self.onUpdate = onUpdate
      self.isStated = isStated
    }
  }
}
