import DAOCriteria

extension CreateTable {
  /// The rules that name a column and stay when some columns go: the table's own, and those of the columns that stay.
  package func rules(naming column: String, without dropped: [String]) -> [String] {
    let ofColumns = columns.filter { column in !dropped.contains { SchemaName.same($0, column.name) } }.flatMap { column in
      column.clauses.filter { [.check, .generated].contains($0.kind) }.map(\.text)
    }
    return (ofColumns + constraints).filter { Self.names(column, in: $0) }
  }

  private static func names(_ column: String, in rule: String) -> Bool {
    let tokens = SQLTokens.of(rule).prefix { !$0.isWord("REFERENCES") }
    // Where only names are allowed, SQLite takes a text as a name.
    let isExpression = tokens.contains { $0.isWord("CHECK") || $0.isWord("AS") }
    return tokens.indices.contains { place in
      let token = tokens[place]
      guard token.kind != .sign, !(isExpression && token.kind == .text), SchemaName.same(token.name, column) else { return false }
      // A rule's own name, a collation and a type are none; nor are functions and tables.
      let isOther = place > 0 && ["CONSTRAINT", "COLLATE", "AS"].contains { tokens[place - 1].isWord($0) }
      let next = place + 1 < tokens.endIndex ? tokens[place + 1] : nil
      return !isOther && next?.isSign(".") != true && !(isExpression && next?.isSign("(") == true)
    }
  }
}
