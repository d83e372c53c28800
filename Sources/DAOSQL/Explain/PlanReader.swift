import DAOCriteria

/// Reads SQLite's description of a plan (sqlite.org/eqp.html). The names in its words are not quoted, they are therefore looked up among
/// the known names.
struct PlanReader {
  /// The tables, by name and by alias.
  private(set) var tables: [String: String]
  /// The indexes, each with its table.
  private(set) var indexes: [String: String]

  init(tables: [String: String], indexes: [String: String]) {
    self.tables = tables
    self.indexes = indexes
  }

  /// - Parameters:
  ///   - connection: whose tables and indexes are read.
  ///   - aliases: the tables behind a statement's aliases.
  init(_ connection: any Connection, aliases: [String: String]) throws {
    self.init(tables: aliases, indexes: [:])
    for row in try connection.rows(SQLStatement("SELECT type, name, tbl_name FROM sqlite_schema")) {
      guard case .text(let type) = row[0], case .text(let name) = row[1], case .text(let table) = row[2] else { continue }
      if type == "index" { indexes[name] = table } else if type != "trigger" { tables[name] = tables[name] ?? name }
    }
  }

  /// Names of tables, indexes and aliases, which a new index can't have.
  var names: Set<String> { Set(tables.values).union(tables.keys).union(indexes.keys) }

  /// A reader that knows these indexes too.
  func knowing(_ made: [QueryPlan.MissingIndex]) -> PlanReader {
    var reader = self
    for index in made { reader.indexes[index.name] = index.entity }
    return reader
  }

  /// The steps of a statement on a connection. Its values are bound; no row is read.
  func steps(of statement: SQLStatement, on connection: any Connection) throws -> [QueryPlan.Step] {
    steps(
      try connection.rows(SQLStatement("EXPLAIN QUERY PLAN " + statement.text, statement.bindings)).compactMap { row in
        guard case .integer(let id) = row[0], case .integer(let parent) = row[1], case .text(let detail) = row[3] else { return nil }
        return (id, parent, detail)
      })
  }

  /// The steps in SQLite's words, each with its number and that of the step which it is part of.
  func steps(_ rows: [(id: Int64, parent: Int64, detail: String)]) -> [QueryPlan.Step] {
    steps(below: 0, Dictionary(grouping: rows, by: \.parent))
  }

  private func steps(below parent: Int64, _ rows: [Int64: [(id: Int64, parent: Int64, detail: String)]]) -> [QueryPlan.Step] {
    // The results of queries that stand beside their use go by a name too.
    var results: Set<String> = []
    return (rows[parent] ?? []).map { id, _, detail in
      for word in ["CO-ROUTINE ", "MATERIALIZE "] where detail.hasPrefix(word) { results.insert(String(detail.dropFirst(word.count))) }
      return QueryPlan.Step(kind(of: detail, besides: results), detail: detail, steps: steps(below: id, rows))
    }
  }

  private func kind(of detail: String, besides results: Set<String>) -> QueryPlan.Kind {
    var words = detail[...]
    let isScan = words.skip("SCAN ")
    if isScan || words.skip("SEARCH ") { return access(&words, isScan: isScan, besides: results) }
    if words.skip("USE TEMP B-TREE FOR ") {
      let purpose: QueryPlan.Purpose = words.hasSuffix("ORDER BY") ? .order : words.hasSuffix("GROUP BY") ? .group : .distinct
      return .sort(purpose, isPartial: words.hasPrefix("RIGHT PART OF ") || words.hasPrefix("LAST "))
    }
    if words.skip("USING INDEX "), words.hasSuffix(" FOR IN-OPERATOR") {
      let index = words.name(among: indexes.keys, before: [" FOR IN-OPERATOR"])
      return .search(table: indexes[index] ?? "", index: index, columns: [], isCovering: true)
    }
    if words.skip("USING ROWID SEARCH ON TABLE ") {
      let name = words.name(among: tables.keys, before: [" FOR IN-OPERATOR"])
      return .keySearch(table: tables[name] ?? name, columns: ["rowid"])
    }
    if ["COMPOUND QUERY", "LEFT-MOST SUBQUERY", "UNION", "MERGE ("].contains(where: words.hasPrefix) { return .union }
    if words.hasPrefix("CO-ROUTINE ") || words.hasPrefix("MATERIALIZE ") || words.contains("SUBQUERY ") {
      return .subquery(isCorrelated: words.hasPrefix("CORRELATED "))
    }
    return .other
  }

  /// Reads the words after SCAN or SEARCH.
  private func access(_ words: inout Substring, isScan: Bool, besides results: Set<String>) -> QueryPlan.Kind {
    let name = words.name(among: tables.keys, before: [" USING ", " VIRTUAL TABLE ", " LEFT-JOIN", " EXISTS"])
    if words.hasPrefix(" VIRTUAL TABLE ") || results.contains(name) { return .other }
    guard let table = tables[name] else {
      // The result of a query, or values; else a table that a view calls by an alias.
      let isTable = !name.hasPrefix("(") && !name.hasSuffix("CONSTANT ROW") && !name.hasSuffix("CONSTANT ROWS")
      return isTable ? access(&words, isScan: isScan, of: name) : .other
    }
    return access(&words, isScan: isScan, of: table)
  }

  private func access(_ words: inout Substring, isScan: Bool, of table: String) -> QueryPlan.Kind {
    _ = words.skip(" EXISTS")
    // SEARCH without more is MIN or MAX over all rows. (Of the row id too, which reads one; SQLite does not say.)
    guard words.skip(" USING ") else { return .fullScan(table: table) }
    if words.skip("INTEGER PRIMARY KEY") || words.skip("PRIMARY KEY") { return .keySearch(table: table, columns: words.columns) }
    if words.hasPrefix("AUTOMATIC ") { return .automaticIndex(table: table, columns: words.columns) }
    let isCovering = words.skip("COVERING ")
    _ = words.skip("INDEX ")
    let index = words.name(among: indexes.keys, before: [" (", " LEFT-JOIN"])
    return isScan
      ? .indexScan(table: table, index: index, isCovering: isCovering)
      : .search(table: table, index: index, columns: words.columns, isCovering: isCovering)
  }
}

extension Substring {
  /// Removes a word from the start, if it is there.
  fileprivate mutating func skip(_ word: String) -> Bool {
    guard hasPrefix(word) else { return false }
    removeFirst(word.count)
    return true
  }

  /// Takes away the longest of the known names that is followed by one of the ends; else what stands before one.
  fileprivate mutating func name(among known: some Sequence<String>, before ends: [String]) -> String {
    let fitting = known.filter { name in hasPrefix(name) && (count == name.count || ends.contains { dropFirst(name.count).hasPrefix($0) }) }
    let name =
      fitting.max { $0.count < $1.count } ?? String(self[..<(ends.compactMap { firstRange(of: $0)?.lowerBound }.min() ?? endIndex)])
    removeFirst(name.count)
    return name
  }

  /// The columns in ` (country=? AND name>?)`, each once.
  fileprivate var columns: [String] {
    guard let start = firstIndex(of: "("), let end = lastIndex(of: ")"), start < end else { return [] }
    var columns: [String] = []
    for part in self[index(after: start)..<end].split(separator: " AND ") {
      let bare = part.hasPrefix("ANY(") ? part.dropFirst(4).dropLast() : part.prefix { !"=<>".contains($0) }
      let names = bare.hasPrefix("(") ? bare.dropFirst().dropLast().split(separator: ",") : [bare]
      for name in names where !columns.contains(String(name)) { columns.append(String(name)) }
    }
    return columns
  }
}

extension Connection {
  /// The rows of a statement that is not kept.
  package func rows(_ statement: SQLStatement) throws -> [[StoredValue]] {
    try run(statement) { prepared in
      let columns = prepared.columns
      var cursor = RowCursor(
        statement: prepared.handle, functions: prepared.functions, run: prepared.run, columns: RowColumns(columns.map { _ in .any }))
      var rows: [[StoredValue]] = []
      while try cursor.advance() { rows.append(try columns.map { _ in try cursor.row.takeStored() }) }
      return rows
    }
  }
}
