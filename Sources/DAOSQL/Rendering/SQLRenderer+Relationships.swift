import DAOCriteria

// Relationships in filters are semi-joins, which never multiply rows: `"country_code" IN (SELECT "t1"."code" FROM "country" AS "t1" WHERE
// …)`, or EXISTS where most rows over there are likely to do.
// Elsewhere a related attribute, or an aggregate of related rows, is a subquery for one value.
extension SQLRenderer {
  // MARK: Filters

  /// A row at least, at the end of the path, of which the condition is true.
  mutating func some(
    _ hops: ArraySlice<CheckedHop>, _ quantifier: CheckedQuantifier, negated: Bool, in context: TermContext
  ) -> LoweredCondition {
    guard let hop = hops.first else { return lower(quantifier.condition, in: context, negated: negated) }
    let path = joinPath(hop)
    let inner = from(path.last) { $0.some(hops.dropFirst(), quantifier, negated: false, in: .row) }
      .deep(quantifier.condition.depth.symbols + 8 * (hops.count - 1))
    if inner.isAlwaysFalse { return .constant(negated) }
    let looks = looksForEach(path, hops, quantifier.condition, inner)
    return looks ? exists(path, inner, negated: negated) : semiJoin(path, inner, negated: negated)
  }

  /// `EXISTS (SELECT 1 FROM "transition" AS "t1" WHERE "t1"."zone_id" = "zone"."id" AND …)`
  private func exists(_ path: JoinPath, _ inner: LoweredCondition, negated: Bool) -> LoweredCondition {
    let condition = conjunction(inner.behind([.sql(path.first.matches(table))]))
    return .sql("\(text: negated ? "NOT " : "")EXISTS (SELECT 1 FROM \(path.sql)\(whereClause(condition)))")
  }

  /// `"id" IN (SELECT "t1"."zone_id" FROM … WHERE …)`
  private func semiJoin(_ path: JoinPath, _ inner: LoweredCondition, negated: Bool) -> LoweredCondition {
    let (pairs, first) = (path.first.pairs, path.first.reference)
    let here = pairs.map { table.column($0.here) }
    let there = pairs.map { first.outerColumn($0.there) }.joined(", ")
    // One null over there would make NOT IN unknown for every row.
    let known = nullable(pairs.map(\.there)).map { LoweredCondition.sql("\(first.outerColumn($0)) IS NOT NULL") }
    let condition = conjunction(inner.behind(negated ? known : []))
    let isBare = if case .constant(true) = condition { true } else { false }
    let clause = isBare && Self.areUnlike(pairs.map(\.there)) ? " WHERE 1" : whereClause(condition)
    let member: SQLFragment = "\(Self.tuple(here)) \(text: negated ? "NOT IN" : "IN") (SELECT \(there) FROM \(path.sql)\(clause))"
    let missing = nullable(pairs.map(\.here)).map { LoweredCondition.sql("\(table.column($0)) IS NULL") }
    if missing.isEmpty || !negated { return .sql(member) }
    return disjunction(LoweredCondition.sql(member).behind(missing))
  }

  /// Whether SQLite may miss values of attributes in a list of a bare table. It looks them up in an index, and if the index has the columns
  /// in another order it gives each value the affinity of its neighbour: `("a", "b") IN (SELECT "x", "y" FROM "t")` does not find the text
  /// `012` in an index on `"y", "x"` (seen in 3.40; sqlite3ExprCodeIN in its expr.c). Of a table with a condition it makes a list of its
  /// own.
  static func areUnlike(_ attributes: [Attribute]) -> Bool {
    Set(attributes.map(\.type)).count > 1 || attributes.count > 1 && attributes.contains { $0.type == .any }
  }

  private func nullable(_ attributes: [Attribute]) -> [Attribute] { attributes.filter(\.isOptional) }

  // MARK: Values

  /// `(SELECT "t1"."name" FROM "country" AS "t1" WHERE "t1"."code" = "zone"."country_code")`
  mutating func related(_ hop: CheckedHop, _ term: CheckedTerm) -> SQLFragment {
    let path = joinPath(hop)
    let value = from(path.last) { $0.render(term, in: .row) }
    return "(SELECT \(value.sql) FROM \(path.first.sql) WHERE \(path.first.matches(table)))"
  }

  /// `(SELECT COUNT(*) FROM "transition" AS "t1" WHERE "t1"."zone_id" = "zone"."id" AND …)`; each row that the path leads to counts once.
  mutating func related(_ call: CheckedAggregate, _ hops: [CheckedHop], _ condition: CheckedCondition) -> SQLFragment {
    let here = table
    defer { table = here }
    var tables: [JoinPath.Table] = []
    for hop in hops {
      let path = joinPath(hop)
      tables += path.tables
      table = path.last
    }
    guard let first = tables.first, let last = tables.last else { return "NULL" }
    // The rows of an aggregate are those that its row leads to.
    let value = reaching(.row(here)) { $0.call(call) }
    let filter = reaching(.row(table)) { $0.lower(condition, in: .row) }
    let start = first.matches(here)
    var reached = start
    if tables.count > 1 {
      // The tables before the last are joined: SQLite's parser has no room for a subquery each.
      let joined = zip(tables, tables.dropFirst()).dropLast().reduce(first.sql) {
        "\($0) JOIN \($1.1.sql) ON \($1.1.matches($1.0.reference))"
      }
      let before = tables[tables.count - 2].reference
      let there = Self.tuple(last.pairs.map { last.reference.outerColumn($0.there) })
      reached = "\(there) IN (SELECT \(last.pairs.map { before.outerColumn($0.here) }.joined(", ")) FROM \(joined) WHERE \(start))"
    }
    return "(SELECT \(value) FROM \(last.sql)\(whereClause(conjunction(filter.behind([.sql(reached)])))))"
  }

  // MARK: Joins

  /// The joins over a relationship of the table.
  private mutating func joinPath(_ hop: CheckedHop) -> JoinPath {
    readsOtherRows = true
    var joined = table.path
    let tables = hop.steps.map { step in
      // The criteria's own table has no alias; one that is called like an alias must not be hidden by it.
      repeat { aliasCount += 1 } while SchemaName.same(entity.table, "t\(aliasCount)")
      let alias = "t\(aliasCount)"
      aliases[alias] = step.target.table
      joined.append(JoinPath.Table(reference: TableReference(entity: step.target, alias: alias), pairs: step.pairs))
      return JoinPath.Table(reference: TableReference(entity: step.target, alias: alias, path: joined), pairs: step.pairs)
    }
    return JoinPath(first: tables[0], second: tables.count > 1 ? tables[1] : nil, isToMany: hop.relationship.isToMany)
  }

  /// Renders something that stands in the rows of another table.
  private mutating func from<Rendered>(_ other: TableReference, _ render: (inout SQLRenderer) -> Rendered) -> Rendered {
    let here = table
    table = other
    defer { table = here }
    return reaching(.row(other), render)
  }

  static func tuple(_ columns: [SQLFragment]) -> SQLFragment { columns.count == 1 ? columns[0] : "(\(columns.joined(", ")))" }
}
