import DAOCriteria
import DAOSQL
import Foundation

extension SchemaUpgrade {
  /// Reports the rules that the seed's table has got or lost since the base. SQLite can't change the rules of an existing table: only a
  /// migration can, which rebuilds the table.
  mutating func noteRules(of new: CreateTable, _ table: String, old: CreateTable, mine: CreateTable) {
    func note(_ rule: CreateTable.Rule, _ reason: String) {
      let owner = rule.column.map { "\(table).\($0)" } ?? table
      changes.append(Change(kind: .rule, name: rule.text, table: owner, outcome: .left(reason: reason)))
    }
    // Columns that are added come with their rules.
    let rules = (new: new.rules(ofColumnsIn: mine), old: old.rules(ofColumnsIn: new), mine: mine.rules(ofColumnsIn: new))
    for rule in rules.new where !rules.old.contains(where: rule.isSame) && !rules.mine.contains(where: rule.isSame) {
      note(rule, "a table that is there gets no new rule; a migration can make the table anew")
    }
    for rule in rules.old where rules.mine.contains(where: rule.isSame) && !rules.new.contains(where: rule.isSame) {
      note(rule, "the seed has lost it, and a table that is there keeps its rules; a migration can make the table anew")
    }
  }
}

extension CreateTable {
  /// A rule of a table or of one of its columns, or the column's type.
  struct Rule {
    /// Nil for the table's own.
    let column: String?
    let text: String

    func isSame(as other: Rule) -> Bool {
      if let own = ofTable, let others = other.ofTable { return SQLTokens.areSame(own, others) }
      return column.map(\.foldedName) == other.column.map(\.foldedName) && SQLTokens.areSame(text, other.text)
    }

    /// The rule as it stands among the table's own, `UNIQUE (a)` for `UNIQUE` of `a`; nil for one that only a column has.
    private var ofTable: String? {
      guard let column, let first = SQLTokens.of(text).first else { return text }
      if first.isWord("CHECK") { return text }
      if first.isWord("UNIQUE") { return "UNIQUE (\(column.quotedIdentifier))" + text[first.text.endIndex...] }
      return first.isWord("REFERENCES") ? "FOREIGN KEY (\(column.quotedIdentifier)) \(text)" : nil
    }
  }

  /// The table's own rules, and those of the columns that another definition has too, each once and without its name.
  fileprivate func rules(ofColumnsIn other: CreateTable) -> [Rule] {
    let ofColumns = columns.filter { column in other.columns.contains { SchemaName.same($0.name, column.name) } }.flatMap { column in
      // That a column takes null is no rule.
      ([column.type] + column.clauses.filter { $0.kind != .null }.map(\.text)).flatMap { text in
        Self.parts(Self.unnamed(text)).map { Rule(column: column.name, text: $0) }
      }
    }
    let ofTable = (constraints + options.split(separator: ",").map(String.init)).map { Rule(column: nil, text: Self.unnamed($0)) }
    return (ofColumns + ofTable).reduce(into: []) { rules, rule in
      if !rule.text.isEmpty, !rules.contains(where: rule.isSame) { rules.append(rule) }
    }
  }

  /// `PRIMARY KEY AUTOINCREMENT` is a key and a rule about its numbers.
  private static func parts(_ rule: String) -> [String] {
    guard let last = SQLTokens.of(rule).last, last.isWord("AUTOINCREMENT") else { return [rule] }
    return [rule[..<last.text.startIndex].trimmingCharacters(in: .whitespaces), String(last.text)]
  }

  /// A rule as it says the same without words that may be left out: `CONSTRAINT name`, `GENERATED ALWAYS`.
  private static func unnamed(_ rule: String) -> String {
    let tokens = SQLTokens.of(rule)
    guard let first = tokens.first else { return "" }
    let left = first.isWord("CONSTRAINT") || first.isWord("GENERATED") ? 2 : 0
    guard tokens.indices.contains(left) else { return rule }
    return String(rule[tokens[left].text.startIndex...])
  }
}
