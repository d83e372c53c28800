import DAOCriteria

/// The statements over one row, by its key or with all its attributes.
///
/// Parameters are numbered: `?1` is the first attribute that the entity (or its key) writes. A scope's values come after them.
package enum RowStatement: Hashable {
  case find
  case insert
  case update
  case delete
  case upsert(UpsertRule)
  /// The key of the row that an upsert met.
  case keyByTarget([String])
  /// The values of a row that has a target's, as they are stored.
  case storedTarget([String])

  /// A number for the kind of statement, to hash it by.
  var tag: Int {
    switch self {
    case .find: 11
    case .insert: 12
    case .update: 13
    case .delete: 14
    case .upsert: 15
    case .keyByTarget: 16
    case .storedTarget: 17
    }
  }
}

extension SQLRenderer {
  /// The plan for a statement over one row within a scope.
  static func plan(_ statement: RowStatement, scope: Condition, in entity: EntityDescription) throws -> SQLPlan {
    let flaws = entity.problems
    guard flaws.isEmpty else { throw DAOError.invalidDescription(entity: entity.name, problems: flaws) }
    var criteria = Criteria()
    criteria.scope = scope
    var renderer = SQLRenderer(entity: entity, criteria: criteria)
    renderer.isOverOneRow = true
    let scope = renderer.lowerScope()
    let plan = renderer.render(statement, scope)
    guard renderer.problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: renderer.problems) }
    return plan
  }

  private mutating func render(_ statement: RowStatement, _ scope: LoweredCondition) -> SQLPlan {
    let keys = entity.keyAttributes
    switch statement {
    case .find:
      let sql = "SELECT \(list(entity.attributes)) FROM \(table) WHERE \(equals(keys) { $0 + 1 })" + and(scope)
      return rowPlan(sql, columns: entity.attributes.map { SQLPlan.Column(name: $0.name, type: $0.type) }, isEmpty: scope.isAlwaysFalse)
    case .insert:
      return rowPlan(SQLFragment(insert), columns: [], isEmpty: false)
    case .update:
      // A row that is all key has nothing to set; setting the key to itself still tells whether it is there.
      let rest = entity.attributes.filter { !entity.key.attributes.contains($0.name) }
      let set = (rest.isEmpty ? keys : rest).map { "\($0.column.quotedIdentifier) = ?\(number($0))" }.joined(separator: ", ")
      let sql = "UPDATE \(table) SET \(set) WHERE \(equals(keys) { number(keys[$0]) })" + and(scope)
      return rowPlan(sql, columns: [], isEmpty: scope.isAlwaysFalse)
    case .delete:
      return rowPlan("DELETE FROM \(table) WHERE \(equals(keys) { $0 + 1 })" + and(scope), columns: [], isEmpty: scope.isAlwaysFalse)
    case .upsert(let rule): return upsert(rule, scope)
    case .keyByTarget(let target):
      let attributes = named(target)
      let sql = "SELECT \(list(keys)) FROM \(table) WHERE \(equals(attributes) { $0 + 1 })" + and(scope)
      return rowPlan(sql, columns: keys.map { SQLPlan.Column(name: $0.name, type: $0.type) }, isEmpty: false)
    case .storedTarget(let target):
      let attributes = named(target)
      let sql = SQLFragment("SELECT \(list(attributes)) FROM \(table) WHERE \(equals(attributes) { $0 + 1 })")
      return rowPlan(sql, columns: attributes.map { SQLPlan.Column(name: $0.name, type: $0.type) }, isEmpty: false)
    }
  }

  private var insert: String {
    let places = entity.attributes.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT INTO \(table) (\(list(entity.attributes))) VALUES (\(places))"
  }

  /// `ON CONFLICT (target) DO UPDATE SET … WHERE` something differs, so that equal rows are left alone and counted as unchanged.
  private mutating func upsert(_ rule: UpsertRule, _ scope: LoweredCondition) -> SQLPlan {
    if rule.target?.isEmpty == true { report("", "an upsert needs attributes as its target") }
    let target = rule.target.map { named($0) } ?? entity.keyAttributes
    let fixed = Set(target.map(\.name) + entity.key.attributes)
    let updating = rule.updating.map { named($0) } ?? entity.attributes.filter { !fixed.contains($0.name) }
    for attribute in updating where entity.key.attributes.contains(attribute.name) {
      report(attribute.name, "is part of the key, which an upsert can't change")
    }
    var sql = SQLFragment("\(insert) ON CONFLICT (\(list(target))) ")
    if updating.isEmpty {
      sql = sql + "DO NOTHING"
    } else {
      let set = updating.map { "\($0.column.quotedIdentifier) = excluded.\($0.column.quotedIdentifier)" }.joined(separator: ", ")
      let differs = updating.map { attribute in
        let column = attribute.column.quotedIdentifier
        return SQLFragment("\(table).\(column) IS NOT excluded.\(column)\(attribute.type.mayHoldText ? " COLLATE BINARY" : "")")
      }
      sql = sql + "DO UPDATE SET \(set) WHERE " + differs[...].balanced(" OR ").inParentheses + and(scope)
    }
    return rowPlan(sql, columns: [], isEmpty: false)
  }

  private mutating func named(_ names: [String]) -> [Attribute] {
    names.compactMap { name in
      if let attribute = entity[name] { return attribute }
      report(CriteriaProblem(unknownAttribute: name, of: entity))
      return nil
    }
  }

  private func rowPlan(_ sql: SQLFragment, columns: [SQLPlan.Column], isEmpty: Bool) -> SQLPlan {
    SQLPlan(text: sql.text, bindings: sql.bindings, columns: columns, of: entity, reached: reached, isEmpty: isEmpty)
  }

  private func number(_ attribute: Attribute) -> Int { (entity.position(of: attribute.name) ?? 0) + 1 }

  private func equals(_ attributes: [Attribute], _ number: (Int) -> Int) -> String {
    func equals(_ index: Int, in row: String = "") -> String { "\(row)\(attributes[index].column.quotedIdentifier) = ?\(number(index))" }
    let parts = attributes.indices.map { index in
      guard attributes[index].type.hasSeveralForms else { return SQLFragment(equals(index)) }
      return SQLFragment("\(attributes[index].column.quotedIdentifier) = " + oneForm(of: index, among: attributes, number, equals))
    }
    return parts[...].balanced(" AND ").text
  }

  /// The stored value of the one row that is meant where several are read as the same: the one that is written so, which the key's index
  /// finds, else the smallest.
  private func oneForm(
    of index: Int, among attributes: [Attribute], _ number: (Int) -> Int, _ equals: (_ index: Int, _ row: String) -> String
  ) -> String {
    // Not the name of the table, which is the statement's own row.
    let m = SchemaName.same(entity.table, "m") ? "n" : "m"
    func column(_ index: Int, in row: String) -> String { "\(row).\(attributes[index].column.quotedIdentifier)" }
    func isRead(_ index: Int) -> String {
      let (column, value) = (column(index, in: m), "?\(number(index))")
      guard attributes[index].type == .date(.unixSeconds) else { return column + RenderedTerm.decimalOrder + " = " + value }
      // None of them lies as far from it as the range that an index serves; see ``UnixSeconds``.
      let reference = UnixSeconds.from1970To2001
      return "\(column) BETWEEN \(value) - 1e-05 AND \(value) + 1e-05 AND \(column) - \(reference) = \(value) - \(reference)"
    }
    let others = attributes.indices.filter { $0 != index }.map { other in
      guard attributes[other].type.hasSeveralForms else { return equals(other, m + ".") + " AND " }
      // Those before are the row's, and those after are looked for in its turn.
      return (other < index ? "\(column(other, in: m)) = \(column(other, in: table))" : isRead(other)) + " AND "
    }.joined()
    let found = "SELECT \(column(index, in: m)) FROM \(table) AS \(m) WHERE \(others)"
    return "coalesce((\(found)\(equals(index, m + ".")) LIMIT 1), (\(found)\(isRead(index)) ORDER BY \(column(index, in: m)) LIMIT 1))"
  }

  private func and(_ scope: LoweredCondition) -> SQLFragment {
    switch scope {
    case .constant(true): SQLFragment("")
    case .constant(false): SQLFragment(" AND 0")
    case .sql(let sql, let isCompound): " AND " + (isCompound ? sql.inParentheses : sql)
    }
  }
}

extension AttributeType {
  /// Whether a column's own collation could pass over a difference.
  fileprivate var mayHoldText: Bool {
    switch self {
    case .text, .json, .any: true
    case .bool, .integer, .real, .data, .uuid, .date, .decimal: false
    }
  }
}
