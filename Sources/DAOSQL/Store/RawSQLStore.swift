import DAOCriteria

/// A store that also runs a person's own SQL.
public protocol RawSQLStore: EntityStore {
  /// The rows of a query, each read by a closure that gets the columns' names too.
  func query<Row>(_ sql: SQL, _ read: (inout RowReader, [String]) throws -> Row) throws -> [Row]

  /// Entities from a query that selects all their columns, in any order.
  func query<E: Entity>(_ sql: SQL, _ type: E.Type, of entity: EntityDescription) throws -> [E]

  /// Runs a statement that changes rows, and returns how many.
  func execute(_ sql: SQL) throws -> Int
}
