import DAOCriteria

/// The statements over one row, by its key or with all its attributes.
///
/// Parameters are numbered: `?1` is the first attribute that the entity (or its key) writes. A scope's values come after them. An entity
/// writes generated attributes too, so that no value has to be examined on its way: the statement has a parameter for each, and no column.
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

extension RowStatement {
  /// The scope of a target in which the statement makes sense.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  fileprivate func checkedScope(of target: EntityTarget, within limits: Criteria.StatementLimits) throws -> CheckedCriteria {
    switch self {
    case .find, .insert, .update, .delete: try target.checked(within: limits)
    case .upsert(let rule): try target.checked(rule, within: limits)
    case .keyByTarget(let names), .storedTarget(let names): try target.checked(UpsertRule(target: names, updating: []), within: limits)
    }
  }
}

extension SQLRenderer {
  /// The plan for a statement over one row within a scope.
  static func plan(_ statement: RowStatement, in target: EntityTarget, within limits: Criteria.StatementLimits) throws -> SQLPlan {
    var renderer = SQLRenderer(try statement.checkedScope(of: target, within: limits))
    try renderer.criteria.expectValues(of: CriteriaShape(scope: target.scope))
    renderer.isOverOneRow = true
    let scope = renderer.lower(renderer.criteria.scope, in: .row)
    return renderer.render(statement, scope)
  }

  private func render(_ statement: RowStatement, _ scope: LoweredCondition) -> SQLPlan {
    let keys = entity.keyAttributes
    switch statement {
    case .find:
      return rowPlan(
        "SELECT \(list(entity.attributes)) FROM \(tableName) WHERE \(equals(keys) { $0 + 1 })\(and(scope))", of: entity.attributes,
        isEmpty: scope.isAlwaysFalse)
    case .insert: return rowPlan(insert)
    case .update:
      // A row that is all key has nothing to set; setting the key to itself still shows whether it is there.
      let rest = entity.writtenAttributes.filter { !entity.key.attributes.contains($0.name) }
      let set = (rest.isEmpty ? keys : rest).map { attribute -> SQLFragment in
        let (column, value): (SQLFragment, SQLFragment) = ("\(name: attribute.column)", "\(rowValue: number(attribute))")
        // The row may be found by another spelling of its key, which stays as it is.
        if rest.isEmpty, attribute.type.isCollated { return "\(column) = \(column)" }
        if attribute.isVersion { return "\(column) = \(Self.nextVersion(value))" }
        return "\(column) = \(attribute.type.keepingSpelling(of: column, for: value))"
      }
      return rowPlan(
        """
        \(unwritten)UPDATE \(tableName) SET \(set.joined(", ")) \
        WHERE \(equals(keys) { number(keys[$0]) })\(andVersion)\(and(scope))
        """, isEmpty: scope.isAlwaysFalse)
    case .delete:
      return rowPlan("DELETE FROM \(tableName) WHERE \(equals(keys) { $0 + 1 })\(and(scope))", isEmpty: scope.isAlwaysFalse)
    case .upsert(let rule): return upsert(rule, scope)
    case .keyByTarget(let target):
      return rowPlan(
        "SELECT \(list(keys)) FROM \(tableName) WHERE \(equals(named(target)) { $0 + 1 })\(and(scope))", of: keys)
    case .storedTarget(let target):
      let attributes = named(target)
      return rowPlan("SELECT \(list(attributes)) FROM \(tableName) WHERE \(equals(attributes) { $0 + 1 })", of: attributes)
    }
  }

  private var insert: SQLFragment {
    let written = entity.writtenAttributes
    let places = written.map { SQLFragment("\(rowValue: number($0))") }.joined(", ")
    return "\(unwritten)INSERT INTO \(tableName) (\(list(written))) VALUES (\(places))"
  }

  /// Names the parameter of the last attribute, where that is generated: SQLite binds no value to a number behind those of a statement. It
  /// never evaluates a table expression that nothing reads.
  private var unwritten: SQLFragment {
    guard entity.attributes.last?.isGenerated == true else { return "" }
    return "WITH dao_unwritten AS (SELECT \(rowValue: entity.attributes.count)) "
  }

  /// `ON CONFLICT (target) DO UPDATE SET … WHERE` something differs, so that equal rows are left alone and counted as unchanged.
  private func upsert(_ rule: UpsertRule, _ scope: LoweredCondition) -> SQLPlan {
    let target = rule.target.map { named($0) } ?? entity.keyAttributes
    let version = entity.versionAttribute
    let fixed = Set(target.map(\.name) + entity.key.attributes + (version.map { [$0.name] } ?? []))
    let updating = rule.updating.map { named($0) } ?? entity.writtenAttributes.filter { !fixed.contains($0.name) }
    // An index with another collation would find another row than the target's values do.
    let met = target.map { attribute -> SQLFragment in
      "\(name: attribute.column)\(text: attribute.type.isString ? " COLLATE \(attribute.type.collation)" : "")"
    }
    let start: SQLFragment = "\(insert) ON CONFLICT (\(met.joined(", "))) DO "
    if updating.isEmpty { return rowPlan("\(start)NOTHING") }
    var set = updating.map { attribute -> SQLFragment in
      let (column, value): (SQLFragment, SQLFragment) = ("\(name: attribute.column)", "excluded.\(name: attribute.column)")
      return "\(column) = \(attribute.type.keepingSpelling(of: "\(tableName).\(column)", for: value))"
    }
    var isSame: SQLFragment = ""
    if let version {
      let column: SQLFragment = "\(tableName).\(name: version.column)"
      set.append("\(name: version.column) = \(Self.nextVersion(of: column))")
      isSame = " AND \(column) = excluded.\(name: version.column)"
    }
    let differs = updating.map { attribute -> SQLFragment in
      if attribute.type.keepsSpelling {
        let (before, after) = attribute.type.asRead("\(tableName).\(name: attribute.column)", "excluded.\(name: attribute.column)")
        return "\(before) IS NOT \(after)"
      }
      // A column's own collation could pass over a difference.
      let collation = attribute.type.isText ? " COLLATE BINARY" : ""
      return "\(tableName).\(name: attribute.column) IS NOT excluded.\(name: attribute.column)\(text: collation)"
    }
    return rowPlan("\(start)UPDATE SET \(set.joined(", ")) WHERE (\(differs[...].balanced(" OR ")))\(isSame)\(and(scope))")
  }

  /// The version after this one, as ``Swift/Int64/nextVersion``: SQLite would make a double of one more than the largest.
  static func nextVersion(_ version: SQLFragment) -> SQLFragment { "coalesce(nullif(\(version), 9223372036854775807), 0) + 1" }

  /// The version after that of a column, which others may have set to null or to something else than an integer.
  static func nextVersion(of column: SQLFragment) -> SQLFragment { nextVersion("CAST(\(column) AS INTEGER)") }

  private var andVersion: SQLFragment {
    guard let version = entity.versionAttribute else { return "" }
    return " AND \(name: version.column) = \(rowValue: number(version))"
  }

  private func named(_ names: [String]) -> [Attribute] { names.compactMap { entity[$0] } }

  private func rowPlan(_ sql: SQLFragment, of attributes: [Attribute] = [], isEmpty: Bool = false) -> SQLPlan {
    SQLPlan(
      sql, using: criteria.uses, columns: attributes.map { SQLPlan.Column(name: $0.name, type: $0.type) }, of: entity,
      reached: criteria.reached, isEmpty: isEmpty)
  }

  private func number(_ attribute: Attribute) -> Int { (entity.position(of: attribute.name) ?? 0) + 1 }

  private func equals(_ attributes: [Attribute], _ number: (Int) -> Int) -> SQLFragment {
    func equals(_ index: Int, in row: SQLFragment = "") -> SQLFragment {
      "\(row)\(name: attributes[index].column) = \(rowValue: number(index))"
    }
    let parts = attributes.indices.map { index -> SQLFragment in
      guard attributes[index].type.hasSeveralForms else { return equals(index) }
      return "\(name: attributes[index].column) = \(oneForm(of: index, among: attributes, number, equals))"
    }
    return parts[...].balanced(" AND ")
  }

  /// The stored value of the one row that is meant where several are read as the same: the one that is written so, which the key's index
  /// finds, else the smallest.
  private func oneForm(
    of index: Int, among attributes: [Attribute], _ number: (Int) -> Int, _ equals: (_ index: Int, _ row: SQLFragment) -> SQLFragment
  ) -> SQLFragment {
    // Not the name of the table, which is the statement's own row.
    let m: SQLFragment = SchemaName.same(entity.table, "m") ? "n" : "m"
    func column(_ index: Int, in row: SQLFragment) -> SQLFragment { "\(row).\(name: attributes[index].column)" }
    func isRead(_ index: Int) -> SQLFragment {
      let (column, value) = (column(index, in: m), SQLFragment("\(rowValue: number(index))"))
      let type = attributes[index].type
      guard type.hasBounds else { return "\(type.ordered(column)) = \(value)" }
      // None of them lies as far from it as the range that an index serves; see ``UnixSeconds``.
      var range: SQLFragment = ""
      if let reach = type.reach {
        // Beyond 2^53 the sum with a fraction is a double, which may be units away from the number.
        var distance: SQLFragment = "\(text: reach)"
        if case .decimal = type { distance = "(abs(\(value) + 0.0) * 1e-15 + \(text: reach))" }
        range = "\(column) BETWEEN \(value) - \(distance) AND \(value) + \(distance) AND "
      }
      if type == .date(.unixSeconds) {
        let reference: SQLFragment = "\(text: "\(UnixSeconds.from1970To2001)")"
        return "\(range)\(column) - \(reference) = \(value) - \(reference)"
      }
      let (read, wanted) = type.asRead(column, value)
      return "\(range)\(read) = \(wanted)"
    }
    let others = attributes.indices.filter { $0 != index }.map { other -> SQLFragment in
      guard attributes[other].type.hasSeveralForms else { return "\(equals(other, "\(m).")) AND " }
      // Keys before this one are of the row, and keys after it are looked up in turn.
      return other < index ? "\(column(other, in: m)) = \(column(other, in: tableName)) AND " : "\(isRead(other)) AND "
    }.joined("")
    let found: SQLFragment = "SELECT \(column(index, in: m)) FROM \(tableName) AS \(m) WHERE \(others)"
    return
      "coalesce((\(found)\(equals(index, "\(m).")) LIMIT 1), (\(found)\(isRead(index)) ORDER BY \(column(index, in: m)) LIMIT 1))"
  }

  private func and(_ scope: LoweredCondition) -> SQLFragment {
    switch scope {
    case .constant(true): ""
    case .constant(false): " AND 0"
    case .sql(let sql, let isCompound): isCompound ? " AND (\(sql))" : " AND \(sql)"
    }
  }
}
