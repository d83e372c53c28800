import DAOCriteria
import DAOSchema

extension EngineStore: RawSQLStore {
  /// The rows of a query.
  package func query<Row>(_ sql: SQL, _ read: (inout RowReader, [String]) throws -> Row) throws -> [Row] {
    try rows(sql) { statement, hasChanged in
      let names = statement.columns.map(\.name)
      var rows = RowCursor(
        statement: statement.handle, functions: statement.functions, run: statement.run, columns: RowColumns(statement.columns.map(\.type)))
      var result: [Row] = []
      do {
        guard try rows.begin(statement, hasChanged) else { return [] }
        while try rows.advance() { result.append(try read(&rows.row, names)) }
      } catch let problem as RowProblem {
        throw DAOError.undecodable(
          entity: "SQL", column: problem.column < names.count ? names[problem.column] : "column \(problem.column)", row: problem.row,
          problem: "\(problem.problem)")
      }
      return result
    }
  }

  /// Entities from a query.
  package func query<E: Entity>(_ sql: SQL, _ type: E.Type, of entity: EntityDescription) throws -> [E] {
    try rows(sql) { statement, hasChanged in
      let columns = Dictionary(statement.columns.enumerated().map { (SchemaName($1.name), $0) }, uniquingKeysWith: { first, _ in first })
      let missing = entity.attributes.filter { columns[SchemaName($0.column)] == nil }
      guard missing.isEmpty else {
        throw DAOError.undecodable(
          entity: entity.name, column: missing.map(\.column).joined(separator: ", "), row: 0, problem: "is not selected by the SQL")
      }
      let positions = entity.attributes.compactMap { columns[SchemaName($0.column)] }
      // Of a result only the types are known.
      let declared = zip(entity.attributes, positions).compactMap { attribute, position -> (Attribute, StoreSchema.Column)? in
        let type = statement.columns[position].declaredType
        guard !type.isEmpty else { return nil }
        return (attribute, StoreSchema.Column(name: attribute.column, declaredType: type, collation: attribute.type.collation))
      }
      try entity.check(declared, isOnlyRead: true)
      let attributes = RowColumns(entity.types, of: entity)
      var rows = RowCursor(
        statement: statement.handle, functions: statement.functions, run: statement.run,
        columns: RowColumns(statement.columns.map { _ in .any }))
      var result: [E] = []
      guard try rows.begin(statement, hasChanged) else { return [] }
      while try rows.advance() {
        var stored: [StoredValue] = []
        while rows.row.position < statement.columns.count { stored.append(try rows.row.takeStored()) }
        var row = RowReader(positions.map { stored[$0] }, columns: attributes)
        do { result.append(try E(row: &row)) } catch let problem as RowProblem {
          throw DAOError.undecodable(
            entity: entity.name,
            column: problem.column < positions.count ? entity.attributes[problem.column].column : "column \(problem.column)",
            row: rows.row.rowNumber, problem: "\(problem.problem)")
        }
      }
      return result
    }
  }

  /// Runs a statement that changes rows, or the schema.
  package func execute(_ sql: SQL) throws -> Int {
    let request = try checked(sql)
    let changesSchema = ["CREATE", "ALTER", "DROP"].contains(request.text.firstSQLWord)
    // A schema change that is not allowed is rolled back.
    return try source.write(atomic: changesSchema) { connection in
      let before = connection.totalChangedRowCount
      if changesSchema { try connection.schemaWillChange() }
      defer { if changesSchema { try? connection.schemaHasChanged() } }
      let count = try connection.run(request) { statement in
        var code = statement.functions.step(statement.handle)
        while code == 100 { code = statement.functions.step(statement.handle) }
        guard code == 101 else { throw StepFailure(code: code) }
        // A statement that changes the schema leaves the last count unchanged.
        return connection.totalChangedRowCount == before ? 0 : connection.changedRowCount
      }
      if changesSchema { try connection.refuseShadows() }
      return count
    }
  }

  private func rows<Result>(
    _ sql: SQL, _ read: (PreparedStatement, _ hasChanged: () throws -> Bool) throws -> Result
  ) throws -> Result {
    let request = try checked(sql)
    return try source.read(snapshot: false) { connection in
      // A statement has the columns of the schema that the connection knew when it compiled it, and another program may change that before
      // the first row is read.
      for _ in 0..<3 {
        try connection.refreshSchema()
        let mark = try connection.schemaMark()
        do {
          return try connection.readRows(of: request) { statement in try read(statement) { try connection.schemaMark() != mark } }
        } catch is ColumnsHaveChanged {}
      }
      throw DAOError.unsupported("the schema changes each time that the query is begun")
    }
  }

  /// Transactions belong to sessions: SQL that ends one would pull it away from under them.
  private func checked(_ sql: SQL) throws -> SQLStatement {
    let statement = try sql.statement()
    let first = statement.text.firstSQLWord
    if ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"].contains(first) {
      throw DAOError.misuse("SQL that begins or ends a transaction", use: "factory.write { } or session.write { }")
    }
    if ["ATTACH", "DETACH"].contains(first) {
      throw DAOError.unsupported("a store's connections can't attach other files")
    }
    if first == "PRAGMA" {
      throw DAOError.unsupported("a store's connections keep their settings; what a pragma tells is there as a table: pragma_table_info(…)")
    }
    return statement
  }
}

extension Connection {
  /// Runs a body with a statement that is not kept, its values bound.
  package func run<Result>(_ request: SQLStatement, _ body: (PreparedStatement) throws -> Result) throws -> Result {
    let statement = try prepare(request.text)
    defer { statement.finish() }
    try beginStatement()
    guard statement.parameterCount == request.bindings.count else {
      throw DAOError.misuse(
        "SQL with \(statement.parameterCount) parameters was given \(request.bindings.count) values", use: "\\(…) for every value")
    }
    do {
      try statement.bind(request.bindings)
      return try body(statement)
    } catch let failure as StepFailure {
      throw error(failure.code, sql: request.text, argumentCount: statement.parameterCount, entity: nil)
    }
  }
}

/// A query was compiled again for another schema.
private struct ColumnsHaveChanged: Error {}

extension Connection {
  fileprivate func readRows<Result>(of request: SQLStatement, _ read: (PreparedStatement) throws -> Result) throws -> Result {
    try run(request) { statement in
      guard statement.isReadOnly else {
        throw DAOError.misuse("query was given SQL that changes the store", use: "execute")
      }
      return try read(statement)
    }
  }
}

extension RowCursor {
  /// Looks for the first row, and makes sure that it has the columns that the statement was compiled with.
  fileprivate mutating func begin(_ statement: PreparedStatement, _ hasChanged: () throws -> Bool) throws -> Bool {
    let isThere = try peek()
    // SQLite compiles `LIKE ?` again for each value too.
    if statement.isUnchecked, try hasChanged() { throw ColumnsHaveChanged() }
    return isThere
  }
}

extension String {
  /// The first word of a statement in capitals, after blanks and comments.
  fileprivate var firstSQLWord: String {
    var rest = unicodeScalars[...]
    while let first = rest.first {
      // SQLite passes over a byte order mark as over a blank.
      if first.properties.isWhitespace || first == ";" || first == "\u{FEFF}" {
        rest.removeFirst()
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    return String(rest.prefix { $0.properties.isAlphabetic }).uppercased()
  }
}
