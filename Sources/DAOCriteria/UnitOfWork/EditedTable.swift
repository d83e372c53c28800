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

    package init(columns: [Int], table: SchemaName, targets: [SchemaName]) {
      self.columns = columns
      self.table = table
      self.targets = targets
    }
  }

  /// Its name.
  package let name: String
  /// The names of its columns.
  package let columns: [String]
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
    name: String, columns: [String], key: [Int], generatedKey: Int?, computed: Set<Int> = [], uniques: [[Int]], required: Set<Int>,
    references: [Reference]
  ) {
    self.name = name
    self.columns = columns
    self.key = key
    self.generatedKey = generatedKey
    self.computed = computed
    self.uniques = uniques
    self.required = required
    self.references = references
  }

  /// The key of a row.
  package func key(of row: [StoredValue]) -> [StoredValue] { key.map { row[$0] } }

  /// The position of a column.
  package func position(of column: String) -> Int? { columns.firstIndex { SchemaName.same($0, column) } }

  /// The positions of the columns that have other values in two rows, without those that are computed.
  package func differences(_ a: [StoredValue], _ b: [StoredValue]) -> [Int] {
    var columns: [Int] = []
    for column in a.indices where a[column] != b[column] && !computed.contains(column) { columns.append(column) }
    return columns
  }
}
