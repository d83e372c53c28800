import DAOCriteria
import DAOSchema

/// A table of an evaluator store: its rows, and the rules that a table made by `SchemaSQL` has.
final class EvaluatorTable {
  /// No two rows may have the same values here.
  struct Unique {
    let constraint: DAOError.Constraint
    let columns: [Int]
  }

  /// The rows of one table point to those of another.
  struct ForeignKey {
    unowned let child: EvaluatorTable
    let here: [Int]
    unowned let parent: EvaluatorTable
    let there: [Int]
    let onDelete: DeleteRule

    /// The places of the rows that point to these values, as the parent's columns compare them.
    func children(of values: StoredRow) -> [Int] {
      child.rows.places(where: here, are: values, as: there.map { parent.entity.types[$0] })
    }
  }

  let entity: EntityDescription
  let rows = EvaluatedTable()
  /// The position of the key that is generated where it is null: that of an `INTEGER PRIMARY KEY`.
  let rowKey: Int?
  /// In the order in which SQLite checks them: the row id, the indexes from the last to the first, the key.
  let uniques: [Unique]
  private(set) var foreignKeys: [ForeignKey] = []
  /// The foreign keys of all tables that point here.
  private(set) var pointedAtBy: [ForeignKey] = []
  /// Why nothing can be written: a foreign key that leads nowhere.
  private(set) var flaw: DAOError?

  init(_ entity: EntityDescription) {
    self.entity = entity
    let key = entity.key.attributes.compactMap { entity.position(of: $0) }
    rowKey = key.count == 1 && entity.keyTypes == [.integer] ? key[0] : nil
    let primary = Unique(constraint: .primaryKey, columns: key)
    let indexes = entity.indexes.filter(\.isUnique).map { index in
      Unique(constraint: .unique, columns: index.attributes.compactMap { entity.position(of: $0) })
    }
    uniques = rowKey == nil ? indexes.reversed() + [primary] : [primary] + indexes.reversed()
  }

  /// Finds the tables that the foreign keys lead to.
  func join(_ tables: [SchemaName: EvaluatorTable]) throws {
    for key in try entity.foreignKeys() {
      guard let parent = tables[SchemaName(key.table)] else {
        flaw = .engine(DAOError.EngineFailure(code: 1, message: "no such table: main.\(key.table)"))
        continue
      }
      let there = key.columns.compactMap { column in parent.entity.attributes.firstIndex { SchemaName.same($0.column, column) } }
      guard parent.uniques.contains(where: { $0.columns.sorted() == there.sorted() }) else {
        flaw = .engine(DAOError.EngineFailure(code: 1, message: "foreign key mismatch - \"\(entity.table)\" referencing \"\(key.table)\""))
        continue
      }
      let foreignKey = ForeignKey(
        child: self, here: key.attributes.compactMap { entity.position(of: $0.name) }, parent: parent, there: there, onDelete: key.onDelete)
      foreignKeys.append(foreignKey)
      parent.pointedAtBy.append(foreignKey)
    }
  }

  /// The places of the rows with these values in these columns.
  func places(where columns: [Int], are values: StoredRow) -> [Int] {
    rows.places(where: columns, are: values, as: columns.map { entity.types[$0] })
  }

  /// Places in the order in which SQLite goes through the table.
  func byRowKey(_ places: [Int]) -> [Int] {
    // Without one, rows have the numbers in which they came.
    guard let rowKey else { return places.sorted() }
    func key(_ place: Int) -> Int64 { if case .integer(let key)? = rows.places[place]?[rowKey] { key } else { .min } }
    return places.sorted { key($0) < key($1) }
  }

  /// The key that a new row gets: one more than the largest.
  func nextKey(_ column: Int) -> Int64 {
    guard let largest = rows.largest(in: column) else { return 1 }
    if largest < .max { return largest + 1 }
    // SQLite takes any that is free.
    return (1...).first { places(where: [column], are: [.integer($0)]).isEmpty } ?? 1
  }
}
