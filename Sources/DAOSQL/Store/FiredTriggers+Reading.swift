import DAOCriteria
import DAOSchema

extension FiredTriggers.Trigger {
  /// A trigger, by the table that has it and its SQL.
  package init(table: String, sql: String) {
    let tokens = Array(SQLTokens.of(sql).drop { !$0.isWord("BEGIN") })
    func names(after keywords: String...) -> Set<SchemaName> {
      Set(
        tokens.indices.dropLast(keywords.count).filter { start in
          keywords.indices.allSatisfy { tokens[start + $0].isWord(keywords[$0]) }
        }.map { SchemaName(tokens[$0 + keywords.count].name) })
    }
    let words = Set(tokens.map { SchemaName($0.name) })
    let added = names(after: "INTO")
    let replaced = words.contains(SchemaName("REPLACE")) ? added.union(names(after: "UPDATE", "OR", "REPLACE")) : []
    let deleted = names(after: "DELETE", "FROM").union(replaced)
    let places = tokens.indices.dropFirst().dropLast().filter { tokens[$0 - 1].isWord("SET") || tokens[$0 - 1].isSign(",") }
    let setsSeveral = places.contains { place in
      guard tokens[place].isSign("("), let end = tokens[place...].firstIndex(where: { $0.isSign(")") }) else { return false }
      return tokens.indices.contains(end + 1) && tokens[end + 1].isSign("=")
    }
    let set = setsSeveral ? nil : Set(places.filter { tokens[$0 + 1].isSign("=") }.map { SchemaName(tokens[$0].name) })
    self.init(table: SchemaName(table), words: words, added: added, deleted: deleted, set: set)
  }
}
