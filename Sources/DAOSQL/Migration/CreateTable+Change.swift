import DAOCriteria
import DAOSchema

extension CreateTable {
  /// Whether only SQLite's own type names are allowed (sqlite.org/stricttables.html).
  private var isStrict: Bool { SQLTokens.of(options).contains { $0.isWord("STRICT") } }

  /// The definition of the last column, for `ALTER TABLE … ADD COLUMN`.
  package var lastColumn: String? { columns.last?.sql }

  /// The statement after a step of a plan, for an entity over the table.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` for relationships that fit no entity.
  package mutating func apply(_ change: Migration.Step.Change, for entity: EntityDescription) throws {
    switch change {
    case .addColumn(let name):
      guard let attribute = entity.attribute(in: name) else { return }
      columns.append(try Column(attribute, of: entity, isStrict: isStrict))
    // A foreign key of several columns comes with the last of them, as a rule of the table.
    case .dropColumn(let name): columns.removeAll { SchemaName.same($0.name, name) }
    case .changeType(let name, _, _):
      guard let attribute = entity.attribute(in: name) else { return }
      let type = isStrict ? attribute.type.strictName : attribute.type.columnType.quotedType
      edit(name) { $0.type = type }
    case .changeNullability(let name, let isNotNull):
      edit(name) { column in
        column.clauses.removeAll { [.notNull, .null].contains($0.kind) }
        if isNotNull { column.clauses.insert(Clause(kind: .notNull, text: "NOT NULL"), at: 0) }
      }
    case .changeDefault(let name, let value):
      edit(name) { column in
        column.clauses.removeAll { $0.kind == .defaultValue }
        column.clauses.append(Clause(kind: .defaultValue, text: "DEFAULT \(value)"))
      }
    case .changeCollation(let name, _, let collation):
      edit(name) { column in
        column.clauses.removeAll { $0.kind == .collate }
        if collation != "BINARY" { column.clauses.append(Clause(kind: .collate, text: "COLLATE \(collation)")) }
      }
    case .makeWritable(let name): edit(name) { $0.clauses.removeAll { $0.kind == .generated } }
    case .addForeignKey(let names, _):
      let key = try entity.foreignKeys().first { SchemaName.same($0.attributes.map(\.column), names) }
      if let key { replaceForeignKey(over: names, by: SchemaSQL.references(key)) }
    default: break
    }
  }

  private mutating func edit(_ name: String, _ body: (inout Column) -> Void) {
    for place in columns.indices where SchemaName.same(columns[place].name, name) { body(&columns[place]) }
  }

  private mutating func replaceForeignKey(over names: [String], by reference: String) {
    let isOld = { (constraint: String) in Self.foreignKeyColumns(constraint).map { SchemaName.same($0, names) } ?? false }
    let others = constraints.filter(isOld).map(Self.otherRules).joined(separator: " ")
    constraints.removeAll(where: isOld)
    if names.count == 1, let name = names.first {
      edit(name) { column in
        let place = column.clauses.firstIndex { $0.kind == .references } ?? column.clauses.endIndex
        let rules = column.clauses.filter { $0.kind == .references }.map { Self.otherRules($0.text) } + [others]
        column.clauses.removeAll { $0.kind == .references }
        column.clauses.insert(
          Clause(kind: .references, text: ([reference] + rules.filter { !$0.isEmpty }).joined(separator: " ")), at: place)
      }
    } else {
      constraints.append(
        "FOREIGN KEY (\(names.map(\.quotedIdentifier).joined(separator: ", "))) \(reference)" + (others.isEmpty ? "" : " " + others))
    }
  }

  /// Returns the clauses of a foreign key besides its target and its delete action: `ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED`.
  private static func otherRules(_ reference: String) -> String {
    let tokens = SQLTokens.of(reference)
    guard let start = tokens.firstIndex(where: { $0.isWord("REFERENCES") }) else { return "" }
    var (rules, isOther): ([Substring], Bool) = ([], false)
    // Past the table's name.
    for place in tokens.indices.dropFirst(start + 2) {
      let (token, next) = (tokens[place], place + 1 < tokens.endIndex ? tokens[place + 1] : nil)
      if token.isWord("ON") {
        isOther = next?.isWord("UPDATE") == true
      } else if token.isWord("MATCH") || token.isWord("DEFERRABLE") || token.isWord("NOT") && next?.isWord("DEFERRABLE") == true {
        isOther = true
      }
      if isOther { rules.append(token.text) }
    }
    return rules.joined(separator: " ")
  }

  /// The columns of a table's rule that is a foreign key; nil for another rule.
  private static func foreignKeyColumns(_ constraint: String) -> [String]? {
    var tokens = SQLTokens.of(constraint)[...]
    if tokens.first?.isWord("CONSTRAINT") == true { tokens = tokens.dropFirst(2) }
    guard tokens.first?.isWord("FOREIGN") == true, let open = tokens.firstIndex(where: { $0.isSign("(") }),
      let close = tokens.firstIndex(where: { $0.isSign(")") })
    else { return nil }
    return tokens[(open + 1)..<close].filter { !$0.isSign(",") }.map(\.name)
  }
}

extension CreateTable.Column {
  /// The column of an attribute, as a table made from its entity has it.
  fileprivate init(_ attribute: Attribute, of entity: EntityDescription, isStrict: Bool) throws {
    name = attribute.column
    type = isStrict ? attribute.type.strictName : attribute.type.columnType.quotedType
    clauses = attribute.type.isCollated ? [CreateTable.Clause(kind: .collate, text: "COLLATE \(attribute.type.collation)")] : []
    if !attribute.isOptional { clauses.append(CreateTable.Clause(kind: .notNull, text: "NOT NULL")) }
    if let value = attribute.defaultValue {
      clauses.append(CreateTable.Clause(kind: .defaultValue, text: "DEFAULT " + SQLLiteral.text(try attribute.type.stored(value))))
    }
    clauses += try entity.foreignKeys().filter { $0.attributes == [attribute] }.map {
      CreateTable.Clause(kind: .references, text: SchemaSQL.references($0))
    }
  }
}

extension EntityDescription {
  /// The attribute that a column keeps.
  package func attribute(in column: String) -> Attribute? { attributes.first { SchemaName.same($0.column, column) } }
}
