/// A table whose rows a unit of work edits. Rows are arrays of values, in the order of its columns.
package final class EditedTable: Sendable {
  /// Columns that point to a row of another table, by a declared foreign key or by a relationship.
  package struct Reference: Sendable, Hashable {
    /// The positions of the columns here.
    package let columns: [Int]
    /// The table pointed to.
    package let table: SchemaName
    /// Its columns.
    package let targets: [SchemaName]
    /// Done by the store to rows that point to one that has other values, and to those of one that goes.
    package let onUpdate, onDelete: Action

    /// Done by the store to a row, with what it points to.
    package enum Action: Sendable { case nothing, cascade, set }

    package init(columns: [Int], table: SchemaName, targets: [SchemaName], onUpdate: Action = .nothing, onDelete: Action = .nothing) {
      self.columns = columns
      self.table = table
      self.targets = targets
      self.onUpdate = onUpdate
      self.onDelete = onDelete
    }
  }

  /// Its name.
  package let name: String
  /// The names of its columns.
  package let columns: [String]
  /// The collation of each, in capitals.
  package let collations: [String]
  /// The positions of columns in which a text that is a number is that number.
  package let numeric: Set<Int>
  /// The positions of the columns by which a row is found again.
  package let key: [Int]
  /// The position of the key that the store generates, if it has one.
  package let generatedKey: Int?
  /// The positions of columns that are computed, and never written.
  package let computed: Set<Int>
  /// The columns of each unique index, the key among them.
  package let uniques: [[Int]]
  /// The positions of columns that are never null.
  package let required: Set<Int>
  /// Its pointers to other rows.
  package let references: [Reference]

  package init(
    name: String, columns: [String], collations: [String], numeric: Set<Int>, key: [Int], generatedKey: Int?, computed: Set<Int> = [],
    uniques: [[Int]],
    required: Set<Int>, references: [Reference]
  ) {
    self.name = name
    self.columns = columns
    self.collations = collations
    self.numeric = numeric
    self.key = key
    self.generatedKey = generatedKey
    self.computed = computed
    // A key that is the rowid has no index.
    self.uniques = uniques.contains(key) ? uniques : [key] + uniques
    self.required = required
    self.references = references
  }

  /// The key of a row.
  package func key(of row: [StoredValue]) -> [StoredValue] { key.map { row[$0] } }

  /// A value such that those which a column takes for equal are equal. Texts of a collation of the app's are what their bytes are.
  package func comparable(_ value: StoredValue, in column: Int) -> StoredValue {
    switch value {
    case .text(let text) where numeric.contains(column):
      return Int64(text).map { .integer($0) } ?? Double(text).map { StoredValue.real($0).wholeNumber } ?? value
    case .text(let text):
      switch collations[column] {
      case "NOCASE": return .text(SchemaName.capitals(text))
      case "RTRIM": return .text(String(text.unicodeScalars.reversed().drop { $0 == " " }.reversed().map(Character.init)))
      default: return value
      }
    default: return value.wholeNumber
    }
  }

  /// The key of a row, such that those of one row are equal.
  package func comparableKey(of row: [StoredValue]) -> [StoredValue] { key.map { comparable(row[$0], in: $0) } }

  /// Whether a column takes some values for equal that are not the same.
  package func isFolding(_ column: String) -> Bool { position(of: column).map { collations[$0] != "BINARY" } ?? false }

  /// The position of a column.
  package func position(of column: String) -> Int? { columns.firstIndex { SchemaName.same($0, column) } }

  /// The positions of the columns that have other values in two rows, without those that are computed.
  package func differences(_ a: [StoredValue], _ b: [StoredValue]) -> [Int] {
    var columns: [Int] = []
    for column in a.indices where a[column] != b[column] && !computed.contains(column) { columns.append(column) }
    return columns
  }

  /// Whether two rows have other values in these columns and in no others, as ``differences(_:_:)`` says, without making a list.
  func differ(_ a: [StoredValue], _ b: [StoredValue], in columns: [Int]) -> Bool {
    var next = 0
    for column in a.indices where a[column] != b[column] && !computed.contains(column) {
      guard next < columns.count, columns[next] == column else { return false }
      next += 1
    }
    return next == columns.count
  }
}
