import DAOCriteria

/// A `CREATE TABLE` statement in its parts, so that some can be exchanged and all others stay as they are written: checks, collations,
/// UNIQUE, STRICT and what else a table may have that no entity knows of.
package struct CreateTable {
  /// A column's definition.
  package struct Column {
    package var name: String
    /// The declared type, as it is written; empty where there is none.
    package var type: String
    /// The clauses that follow: `NOT NULL ON CONFLICT FAIL`, `CONSTRAINT positive CHECK (…)`.
    package var clauses: [Clause]
  }

  /// A rule of a column.
  package struct Clause {
    package enum Kind: Equatable { case primaryKey, notNull, null, unique, check, defaultValue, collate, references, deferrable, generated }
    package let kind: Kind
    package var text: String
  }

  package var columns: [Column]
  /// The table's own rules, as they are written: `UNIQUE ("a", "b")`.
  package var constraints: [String]
  /// The options after the parenthesis: `WITHOUT ROWID, STRICT`.
  package var options: String

  /// The statement for a table of this name.
  /// - Parameter table: the name that the table has so far, under which its rules may speak of its columns.
  package func sql(named name: String, formerly table: String? = nil) -> String {
    var parts = columns.map(\.sql) + constraints
    if let table { parts = parts.map { Self.unqualified($0, table) } }
    return "CREATE TABLE \(name.quotedIdentifier) (\(parts.joined(separator: ", ")))" + (options.isEmpty ? "" : " " + options)
  }

  /// A rule without the table's name before its columns: `CHECK (zone.offset < 24)`.
  private static func unqualified(_ rule: String, _ table: String) -> String {
    let tokens = SQLTokens.of(rule)
    var (text, rest) = ("", rule.startIndex)
    // A number has a point too, and may be a table's name.
    let isNumber = { (token: SQLTokens.Token) in token.kind == .word && token.text.utf8.first.map { 0x30...0x39 ~= $0 } == true }
    for (token, next) in zip(tokens, tokens.dropFirst()) where next.isSign(".") && !isNumber(token) && SchemaName.same(token.name, table) {
      text += rule[rest..<token.text.startIndex]
      rest = next.text.endIndex
    }
    return text + rule[rest...]
  }

  /// The parts of a statement as SQLite keeps it in `sqlite_schema`; nil where it is of another form (`CREATE TABLE … AS` is kept as if its
  /// columns had been written).
  package init?(_ sql: String) {
    let tokens = SQLTokens.of(sql)
    guard let open = tokens.firstIndex(where: { $0.isSign("(") }), let close = Self.closing(tokens, open) else { return nil }
    options = Self.text(sql, tokens[(close + 1)...])
    (columns, constraints) = ([], [])
    for part in Self.parts(tokens[(open + 1)..<close]) {
      guard let first = part.first else { return nil }
      if constraints.isEmpty, !Self.beginsConstraint(first) {
        guard let column = Column(sql, part) else { return nil }
        columns.append(column)
      } else {
        constraints += Self.rules(part).map { Self.text(sql, $0) }
      }
    }
    if columns.isEmpty { return nil }
  }

  /// Returns the options of a statement after its parenthesis.
  package static func options(of sql: String) -> (isWithoutRowID: Bool, isStrict: Bool) {
    let tokens = SQLTokens.of(sql)
    guard let open = tokens.firstIndex(where: { $0.isSign("(") }), let close = closing(tokens, open) else { return (false, false) }
    let options = tokens[(close + 1)...]
    return (options.contains { $0.isWord("ROWID") }, options.contains { $0.isWord("STRICT") })
  }

  /// The first words of a table's own rules; a column with one of these names is in quotes.
  private static func beginsConstraint(_ token: SQLTokens.Token) -> Bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains { token.isWord($0) }
  }

  private static func closing(_ tokens: [SQLTokens.Token], _ open: Int) -> Int? {
    var depth = 0
    for place in open..<tokens.count {
      if tokens[place].isSign("(") { depth += 1 }
      if tokens[place].isSign(")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// A table's own rules, between which SQLite takes a space for a comma.
  private static func rules(_ tokens: ArraySlice<SQLTokens.Token>) -> [ArraySlice<SQLTokens.Token>] {
    var (rules, start, depth): ([ArraySlice<SQLTokens.Token>], Int, Int) = ([], tokens.startIndex, 0)
    for place in tokens.indices {
      if tokens[place].isSign("(") { depth += 1 }
      if tokens[place].isSign(")") { depth -= 1 }
      let isNamed = place >= start + 2 && tokens[place - 2].isWord("CONSTRAINT")
      guard depth == 0, place > start, beginsConstraint(tokens[place]), !isNamed else { continue }
      rules.append(tokens[start..<place])
      start = place
    }
    return rules + [tokens[start...]]
  }

  /// Splits tokens at the commas that are in no parenthesis.
  private static func parts(_ tokens: ArraySlice<SQLTokens.Token>) -> [ArraySlice<SQLTokens.Token>] {
    var (parts, start, depth): ([ArraySlice<SQLTokens.Token>], Int, Int) = ([], tokens.startIndex, 0)
    for place in tokens.indices {
      if tokens[place].isSign("(") { depth += 1 }
      if tokens[place].isSign(")") { depth -= 1 }
      if depth == 0, tokens[place].isSign(",") {
        parts.append(tokens[start..<place])
        start = place + 1
      }
    }
    return parts + [tokens[start...]]
  }

  /// The text from the first of some tokens to the last, comments between them included. Each of those ends before the last token.
  fileprivate static func text(_ sql: String, _ tokens: ArraySlice<SQLTokens.Token>) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return String(sql[first.text.startIndex..<last.text.endIndex])
  }
}

extension CreateTable.Column {
  package var sql: String { ([name.quotedIdentifier] + (type.isEmpty ? [] : [type]) + clauses.map(\.text)).joined(separator: " ") }

  fileprivate init?(_ sql: String, _ tokens: ArraySlice<SQLTokens.Token>) {
    guard let first = tokens.first else { return nil }
    name = first.name
    var place = tokens.startIndex + 1
    var depth = 0
    let typeStart = place
    while place < tokens.endIndex, depth > 0 || !Self.beginsClause(tokens[place]) {
      if tokens[place].isSign("(") { depth += 1 }
      if tokens[place].isSign(")") { depth -= 1 }
      place += 1
    }
    type = CreateTable.text(sql, tokens[typeStart..<place])
    clauses = []
    while place < tokens.endIndex {
      let start = place
      if tokens[place].isWord("CONSTRAINT") { place += 2 }
      guard place < tokens.endIndex, let kind = Self.kind(tokens[place...]) else { return nil }
      place = Self.end(of: kind, tokens, place)
      clauses.append(CreateTable.Clause(kind: kind, text: CreateTable.text(sql, tokens[start..<place])))
    }
  }

  private static let keywords: [(String, CreateTable.Clause.Kind)] = [
    ("PRIMARY", .primaryKey), ("NOT", .notNull), ("NULL", .null), ("UNIQUE", .unique), ("CHECK", .check), ("DEFAULT", .defaultValue),
    ("COLLATE", .collate), ("REFERENCES", .references), ("DEFERRABLE", .deferrable), ("GENERATED", .generated), ("AS", .generated),
  ]

  private static func kind(_ tokens: ArraySlice<SQLTokens.Token>) -> CreateTable.Clause.Kind? {
    if isNotDeferrable(tokens, tokens.startIndex) { return .deferrable }
    return tokens.first.flatMap { token in keywords.first { token.isWord($0.0) }?.1 }
  }

  private static func isNotDeferrable(_ tokens: ArraySlice<SQLTokens.Token>, _ place: Int) -> Bool {
    place + 1 < tokens.endIndex && tokens[place].isWord("NOT") && tokens[place + 1].isWord("DEFERRABLE")
  }

  private static func beginsClause(_ token: SQLTokens.Token) -> Bool {
    token.isWord("CONSTRAINT") || keywords.contains { token.isWord($0.0) }
  }

  /// Returns the end of a clause from its start: before the next clause, past keywords of its own (`SET NULL`, `DEFAULT NULL`, `NOT
  /// DEFERRABLE`).
  private static func end(of kind: CreateTable.Clause.Kind, _ tokens: ArraySlice<SQLTokens.Token>, _ start: Int) -> Int {
    var place = start + (kind == .notNull || kind == .primaryKey || isNotDeferrable(tokens, start) ? 2 : 1)
    if kind == .defaultValue {
      if place < tokens.endIndex, tokens[place].isSign("+") || tokens[place].isSign("-") { place += 1 }
      // The value's first token may be a keyword: NULL.
      if place < tokens.endIndex, !tokens[place].isSign("(") { place += 1 }
    }
    var depth = 0
    while place < tokens.endIndex {
      let token = tokens[place]
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      if depth == 0, beginsClause(token), !isPartOfReference(kind, tokens, place) { break }
      place += 1
    }
    return place
  }

  private static func isPartOfReference(_ kind: CreateTable.Clause.Kind, _ tokens: ArraySlice<SQLTokens.Token>, _ place: Int) -> Bool {
    switch kind {
    case .references:
      return tokens[place - 1].isWord("SET") || tokens[place].isWord("DEFERRABLE") || isNotDeferrable(tokens, place)
    // GENERATED ALWAYS AS
    case .generated: return tokens[place].isWord("AS")
    default: return false
    }
  }
}
