import DAOCriteria
import DAOSQL
import DAOSchema
import GRDBSQLite

extension Examination {
  /// Whether a search table has the words of its table as they are now: the words are indexed again, in SQLite's temporary files, and the
  /// two indexes are compared. A write past the triggers shows, and so does damage.
  mutating func examineSearch(of table: StoreSchema.Table) throws {
    guard let entity = schema.description(of: table.name), !entity.searchableAttributes.isEmpty,
      let key = table.integerPrimaryKey
    else { return }
    // As the search table spells them, which reports them with each word.
    let columns = table.search?.columns ?? []
    let differing: Set<Int64>
    do {
      defer { for statement in SearchSQL.forgetWords { _ = try? rows(statement) } }
      for statement in SearchSQL.words(of: table.name, key: key, columns: columns) { _ = try rows(statement) }
      differing = try differingRows()
    } catch DAOError.engine(let failure) where failure.code & 0xFF == SQLITE_CORRUPT {
      return add(
        Finding(.search, of: table.name, "the search table is damaged: \(failure.message)", repair: rebuild(table)))
    }
    if differing.isEmpty { return }
    let keys = differing.sorted()
    add(
      Finding(
        .search, of: table.name, rows: keys.count, "the search table has other words than the rows",
        examples: keys.prefix(Example.limit).map { Example(key: [.integer($0)], values: []) }, repair: rebuild(table)))
  }

  private func rebuild(_ table: StoreSchema.Table) -> Repair { Repair("have the words indexed anew", sql: [SearchSQL.rebuild(table.name)]) }

  /// The rows of which the two indexes have different words. Both list their words in one order: word, row, column, position.
  private func differingRows() throws -> Set<Int64> {
    var differing: Set<Int64> = []
    try connection.run(SQLStatement(SearchSQL.indexedWords)) { indexed in
      try connection.run(SQLStatement(SearchSQL.presentWords)) { present in
        var (left, right) = (Words(indexed), Words(present))
        var (a, b) = (try left.next(), try right.next())
        while a != nil || b != nil {
          let order = a.map { a in b.map { a.compare($0) } ?? -1 } ?? 1
          if order != 0, let row = (order < 0 ? a : b)?.row { differing.insert(row) }
          if order <= 0 { a = try left.next() }
          if order >= 0 { b = try right.next() }
        }
      }
    }
    return differing
  }
}

/// One word at its position.
private struct Word {
  let text: StoredValue
  let row: Int64
  let column: StoredValue
  let place: Int64

  func compare(_ other: Word) -> Int {
    let texts = text.compare(other.text, as: .text)
    if texts != 0 { return texts }
    if row != other.row { return row < other.row ? -1 : 1 }
    let columns = column.compare(other.column, as: .text)
    return columns != 0 ? columns : place < other.place ? -1 : place == other.place ? 0 : 1
  }
}

/// The words of an index.
private struct Words {
  private var cursor: RowCursor

  init(_ statement: PreparedStatement) {
    cursor = RowCursor(
      statement: statement.handle, functions: statement.functions, run: statement.run,
      columns: RowColumns([.any, .integer, .any, .integer]))
  }

  mutating func next() throws -> Word? {
    guard try cursor.advance() else { return nil }
    return Word(
      text: try cursor.row.takeStored(), row: try cursor.row.next(), column: try cursor.row.takeStored(), place: try cursor.row.next())
  }
}
