import DAOCriteria
import DAOSchema

/// Reads the `CHECK` rules of a table, as far as they are lists and ranges of the values of single columns.
///
/// ```sql
/// CHECK (status IN ('open', 'paid') AND rating BETWEEN 1 AND 5)
/// ```
///
/// is two rules. Everything else (functions, several columns, `NOT`, `CASE`) is not understood, and stands in ``others`` as it is written.
package struct CheckReader {
  /// The rules by their columns, as the table spells them.
  package private(set) var rules: [String: ColumnRule] = [:]
  /// The checks of which a part is not understood.
  package private(set) var others: [String] = []

  private let columns: [StoreSchema.Column]

  /// The rules of a table. A rule of texts that are compared by another collation than their bytes is not understood.
  /// - Parameters:
  ///   - sql: its `CREATE TABLE`.
  ///   - table: the table.
  package init(_ sql: String, of table: StoreSchema.Table) {
    columns = table.columns
    guard let table = CreateTable(sql) else { return }
    let clauses = table.columns.flatMap { $0.clauses.filter { $0.kind == .check }.map(\.text) }
    for text in clauses + table.constraints { read(text) }
  }

  private mutating func read(_ text: String) {
    var tokens = SQLTokens.of(text)[...]
    if tokens.first?.isWord("CONSTRAINT") == true { tokens = tokens.dropFirst(2) }
    guard tokens.first?.isWord("CHECK") == true else { return }
    tokens = tokens.dropFirst()
    let isOther = tokens.contains { token in ["CASE", "SELECT"].contains { token.isWord($0) } }
    if isOther || Self.depth(of: tokens) > Self.deepest { return others.append(text) }
    var expression = Expression(tokens, columns)
    let found = expression.alternatives()
    guard expression.isAtEnd, let facts = found.facts else { return others.append(text) }
    for (column, rule) in facts.rules { rules[column] = rules[column].map { $0.and(rule) } ?? rule }
    if !facts.isWhole { others.append(text) }
  }
}

extension CheckReader {
  /// Each parenthesis within another is read by one more call.
  private static let deepest = 20

  private static func depth(of tokens: ArraySlice<SQLTokens.Token>) -> Int {
    tokens.reduce((now: 0, most: 0)) { depth, token in
      let now = depth.now + (token.isSign("(") ? 1 : token.isSign(")") ? -1 : 0)
      return (now, max(depth.most, now))
    }.most
  }
}

/// The parts of a condition.
private indirect enum Condition {
  case rule(String, ColumnRule)
  case isNull(String)
  case all([Condition])
  case any([Condition])
  case other

  /// The rules that hold where the condition does, and whether they are all that it says; nil where nothing of it is understood.
  var facts: (rules: [String: ColumnRule], isWhole: Bool)? {
    switch self {
    case .rule(let column, let rule): return ([column: rule], true)
    case .isNull, .other: return nil
    case .all(let parts):
      let known = parts.map(\.facts)
      var rules: [String: ColumnRule] = [:]
      for (column, rule) in known.compactMap(\.self).flatMap(\.rules) { rules[column] = rules[column].map { $0.and(rule) } ?? rule }
      return rules.isEmpty ? nil : (rules, known.allSatisfy { $0?.isWhole == true })
    case .any(let parts):
      // Null is allowed without a word.
      let named = parts.filter { if case .isNull = $0 { false } else { true } }
      let facts = named.compactMap(\.facts)
      guard facts.count == named.count, let first = facts.first, first.rules.count == 1, let column = first.rules.keys.first else {
        return nil
      }
      let nulls = parts.compactMap { if case .isNull(let name) = $0 { name } else { nil } }
      guard nulls.allSatisfy({ $0 == column }) else { return nil }
      if facts.count == 1 { return first }
      var values: [StoredValue] = []
      for fact in facts {
        guard fact.isWhole, fact.rules.count == 1, case .values(let own)? = fact.rules[column] else { return nil }
        values += own.filter { !values.contains($0) }
      }
      return ([column: .values(values)], true)
    }
  }
}

/// A condition's tokens while they are read.
private struct Expression {
  private var rest: ArraySlice<SQLTokens.Token>
  private let columns: [StoreSchema.Column]

  private enum Operand {
    case column(StoreSchema.Column)
    case value(StoredValue)
  }

  init(_ tokens: ArraySlice<SQLTokens.Token>, _ columns: [StoreSchema.Column]) {
    rest = tokens
    self.columns = columns
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func alternatives() -> Condition {
    var parts = [conjunction()]
    while take(word: "OR") { parts.append(conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() -> Condition {
    var parts = [part()]
    while take(word: "AND") { parts.append(part()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// One comparison, or a condition in parentheses. What is not understood ends before the next AND or OR.
  private mutating func part() -> Condition {
    let start = rest
    if let found = comparison(), endsPart { return found }
    rest = start
    if take(sign: "(") {
      let inner = alternatives()
      if take(sign: ")"), endsPart { return inner }
    }
    rest = start
    skip()
    return .other
  }

  private var endsPart: Bool { rest.first.map { $0.isWord("AND") || $0.isWord("OR") || $0.isSign(")") } ?? true }

  private mutating func skip() {
    var (depth, hasBetween) = (0, false)
    while let token = rest.first {
      if depth == 0 {
        if token.isSign(")") || token.isWord("OR") || token.isWord("AND") && !hasBetween { return }
        hasBetween = token.isWord("BETWEEN") || hasBetween && !token.isWord("AND")
      }
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      rest = rest.dropFirst()
    }
  }

  private mutating func comparison() -> Condition? {
    guard let left = operand() else { return nil }
    switch left {
    case .column(let column):
      if take(word: "ISNULL") { return .isNull(column.name) }
      if take(word: "IN") { return list().flatMap { rule(column, .values($0)) } }
      if take(word: "BETWEEN") {
        guard case .value(let low)? = operand(), take(word: "AND"), case .value(let high)? = operand(), !low.isNull, !high.isNull else {
          return nil
        }
        return rule(column, .range(from: .init(low, isIncluded: true), to: .init(high, isIncluded: true)))
      }
      guard let sign = comparisonSign(), case .value(let value)? = operand() else { return nil }
      if value.isNull { return sign == "IS" ? .isNull(column.name) : nil }
      return rule(column, sign, value)
    case .value(let value):
      guard let sign = comparisonSign(), !value.isNull, case .column(let column)? = operand() else { return nil }
      let turned = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]
      return rule(column, turned[sign] ?? sign, value)
    }
  }

  private func rule(_ column: StoreSchema.Column, _ sign: String, _ value: StoredValue) -> Condition? {
    switch sign {
    case "=": rule(column, .values([value]))
    case "<", "<=": rule(column, .range(from: nil, to: .init(value, isIncluded: sign == "<=")))
    case ">", ">=": rule(column, .range(from: .init(value, isIncluded: sign == ">="), to: nil))
    default: nil
    }
  }

  /// The rule, with its values as the column's affinity has them in comparisons (sqlite.org/datatype3.html, section 4.2).
  private func rule(_ column: StoreSchema.Column, _ rule: ColumnRule) -> Condition? {
    let affinity = Affinity(declaredName: column.declaredType)
    // How SQLite spells a double in a text is its own affair.
    guard column.collation == "BINARY", affinity != .text || !rule.hasReal else { return nil }
    return .rule(column.name, rule.mapValues { affinity.compared($0) })
  }

  private mutating func comparisonSign() -> String? {
    if take(word: "IS") { return rest.first?.isWord("NOT") == true ? nil : "IS" }
    var sign = ""
    while let token = rest.first, ["=", "<", ">", "!"].contains(where: token.isSign) {
      sign += token.text
      rest = rest.dropFirst()
    }
    if sign == "==" { return "=" }
    return ["=", "<", "<=", ">", ">="].contains(sign) ? sign : nil
  }

  /// The values of a list; nil where null is among them, since a comparison with it is never false.
  private mutating func list() -> [StoredValue]? {
    guard take(sign: "(") else { return nil }
    var values: [StoredValue] = []
    repeat {
      guard case .value(let value)? = operand(), !value.isNull else { return nil }
      if !values.contains(value) { values.append(value) }
    } while take(sign: ",")
    return take(sign: ")") ? values : nil
  }

  private mutating func operand() -> Operand? {
    guard let first = rest.first else { return nil }
    switch first.kind {
    case .text:
      rest = rest.dropFirst()
      return .value(.text(first.name))
    case .quoted:
      rest = rest.dropFirst()
      if take(sign: ".") { return operand() }
      // SQLite takes a name in quotes that is no column for a text (sqlite.org/quirks.html, section 8).
      return column(first.name).map { .column($0) } ?? (first.text.first == "\"" ? .value(.text(first.name)) : nil)
    case .sign where first.isSign("("):
      rest = rest.dropFirst()
      guard let inner = operand(), take(sign: ")") else { return nil }
      return inner
    case .sign, .word:
      if let number = number() { return .value(number) }
      guard first.kind == .word else { return nil }
      rest = rest.dropFirst()
      if take(sign: ".") { return operand() }
      if let column = column(first.name) { return .column(column) }
      // TRUE, FALSE and NULL; a word that begins with a digit is a number of another form.
      guard let byte = first.text.utf8.first, !(0x30...0x39 ~= byte) else { return nil }
      return SQLLiteral.value(first.name).map { .value($0) }
    }
  }

  /// A number, whose sign and point are tokens of their own.
  private mutating func number() -> StoredValue? {
    var (end, text) = (rest, "")
    while let token = end.first, token.isSign("-") || token.isSign("+"), text.isEmpty {
      text = String(token.text)
      end = end.dropFirst()
    }
    var last: String.Index?
    while let token = end.first, token.isSign(".") || token.kind == .word && token.text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true,
      last == nil || last == token.text.startIndex
    {
      text += token.text
      last = token.text.endIndex
      end = end.dropFirst()
    }
    // Hexadecimal digits are integers of their own.
    guard last != nil, !text.contains(where: { $0 == "x" || $0 == "X" }), let value = SQLLiteral.value(text) else { return nil }
    rest = end
    return value
  }

  private func column(_ name: String) -> StoreSchema.Column? { columns.first { SchemaName.same($0.name, name) } }

  private mutating func take(word: String) -> Bool {
    guard rest.first?.isWord(word) == true else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func take(sign: String) -> Bool {
    guard rest.first?.isSign(sign) == true else { return false }
    rest = rest.dropFirst()
    return true
  }
}
