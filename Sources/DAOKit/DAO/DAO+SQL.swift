// A person's own SQL. Values are bound by interpolation.
extension DAO {
  /// Entities from SQL that selects all their columns, in any order. The DAO's scope does not apply. The SQL only reads: SQL that changes
  /// rows goes through ``execute(_:)-(SQL)``, which returns none.
  ///
  /// ```swift
  /// try query("SELECT zone.* FROM zone JOIN zone_country ON zoneID = id WHERE countryCode = \(code)")
  /// ```
  /// - Throws: ``DAOError/unsupported(_:)`` on a store without SQL.
  public final func query(_ sql: SQL) throws -> [E] { try sqlStore.query(sql, E.self, of: entity) }

  /// Rows of any SQL as a `Decodable` type, whose keys are the columns' names.
  public final func query<Row: Decodable>(_ sql: SQL, as type: Row.Type) throws -> [Row] {
    try sqlStore.query(sql) { row, names in try RowDecoder(columns: names).decode(type, from: &row) }
  }

  /// Rows of any SQL, read by hand in the order of their columns.
  public final func query<Row>(_ sql: SQL, _ read: (inout RowReader) throws -> Row) throws -> [Row] {
    try sqlStore.query(sql) { row, _ in try read(&row) }
  }

  /// Runs SQL that changes rows, or the schema, and returns how many rows it changed.
  ///
  /// A foreign key that it breaks at once is a ``DAOError/constraint(_:entity:attributes:message:)`` without attributes: SQLite does not
  /// name the key, and custom SQL has no rows by which to find it. One that is checked at the end of the transaction is named.
  /// - Throws: ``DAOError/unsupported(_:)`` for a temporary table or view with the name of one of the store's, and for statements that a
  ///   store's connections can't run: `ATTACH`, `PRAGMA`.
  @discardableResult
  public final func execute(_ sql: SQL) throws -> Int { try sqlStore.execute(sql) }

  private var sqlStore: any RawSQLStore {
    get throws {
      guard let store = context.store as? any RawSQLStore else { throw DAOError.unsupported("this store has no SQL") }
      return store
    }
  }
}
