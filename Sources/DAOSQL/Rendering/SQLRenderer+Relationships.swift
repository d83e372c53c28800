import DAOCriteria

/// Whose columns terms name: the criteria's entity, or one that a relationship leads to.
struct Subject {
  let entity: EntityDescription
  /// The alias of a related entity's table, quoted.
  var alias: String?
  /// How messages name the way to it: `country.`.
  var path = ""
  /// The stops on the way to it from the criteria's entity.
  var way: [Route.Stop] = []

  var isRelated: Bool { alias != nil }

  /// How a subquery names its rows.
  var name: String { alias ?? entity.table.quotedIdentifier }

  /// A column where nothing hides it.
  func column(_ attribute: Attribute) -> String { isRelated ? outerColumn(attribute) : attribute.column.quotedIdentifier }

  /// A column from within a subquery, whose own columns come first.
  func outerColumn(_ attribute: Attribute) -> String { name + "." + attribute.column.quotedIdentifier }
}

/// The way from a subject to the rows of one of its relationships.
struct Route {
  /// A table on the way.
  struct Stop {
    let subject: Subject
    /// The attributes of the stop before and those here that they are equal to.
    let pairs: [(here: Attribute, there: Attribute)]

    /// The table with its alias.
    var table: String { "\(subject.entity.table.quotedIdentifier) AS \(subject.name)" }

    /// `"t1"."code" = "zone"."country_code"`
    func matches(_ before: Subject) -> String {
      pairs.map { "\(subject.outerColumn($0.there)) = \(before.outerColumn($0.here))" }.joined(separator: " AND ")
    }
  }

  /// The table that is reached first: the pairs of a many-to-many relationship, else the entity's.
  let first: Stop
  /// The related entity's, where it is not the first.
  let second: Stop?
  let isToMany: Bool

  var stops: [Stop] { [first] + (second.map { [$0] } ?? []) }

  var last: Subject { second?.subject ?? first.subject }

  /// `"country" AS "t1"`, or `"zone_country" AS "t1" JOIN "country" AS "t2" ON …`
  var tables: String { second.map { "\(first.table) JOIN \($0.table) ON \($0.matches(first.subject))" } ?? first.table }
}

// Relationships in filters are semi-joins, which never multiply rows: `"country_code" IN (SELECT "t1"."code" FROM "country" AS "t1" WHERE …)`,
// or EXISTS where most rows over there are likely to do.
// Elsewhere a related attribute, or an aggregate of related rows, is a subquery for one value.
extension SQLRenderer {
  // MARK: Filters

  /// A row at least, at the end of the path, of which the condition is true.
  mutating func some(_ path: ArraySlice<String>, _ condition: Condition, negated: Bool, in context: TermContext) -> LoweredCondition {
    guard let name = path.first else { return lower(condition, in: context, negated: negated) }
    if context == .group { report(subject.path + name, "having can't go through relationships") }
    guard let route = route(name) else {
      skip(condition)
      return .constant(negated)
    }
    let inner = from(route.last) { $0.some(path.dropFirst(), condition, negated: false, in: .row) }
      .deep(condition.depth + 8 * (path.count - 1))
    if inner.isAlwaysFalse { return .constant(negated) }
    let looks = looksForEach(route, path, condition, inner)
    return looks ? exists(route, inner, negated: negated) : semiJoin(route, inner, negated: negated)
  }

  /// `EXISTS (SELECT 1 FROM "transition" AS "t1" WHERE "t1"."zone_id" = "zone"."id" AND …)`
  private func exists(_ route: Route, _ inner: LoweredCondition, negated: Bool) -> LoweredCondition {
    let reached = LoweredCondition.sql(SQLFragment(route.first.matches(subject)))
    let rows = "SELECT 1 FROM \(route.tables)" + whereClause(conjunction(inner.behind([reached])))
    return .sql((negated ? "NOT EXISTS " : "EXISTS ") + rows.inParentheses)
  }

  /// `"id" IN (SELECT "t1"."zone_id" FROM … WHERE …)`
  private func semiJoin(_ route: Route, _ inner: LoweredCondition, negated: Bool) -> LoweredCondition {
    let (pairs, first) = (route.first.pairs, route.first.subject)
    let here = pairs.map { subject.column($0.here) }
    let there = pairs.map { first.outerColumn($0.there) }
    // One null over there would make NOT IN unknown for every row.
    let known = nullable(pairs.map(\.there)).map { LoweredCondition.sql(SQLFragment(first.outerColumn($0) + " IS NOT NULL")) }
    let condition = conjunction(inner.behind(negated ? known : []))
    let isBare = if case .constant(true) = condition { true } else { false }
    let clause = isBare && Self.areUnlike(pairs.map(\.there)) ? SQLFragment(" WHERE 1") : whereClause(condition)
    let rows = "SELECT \(there.joined(separator: ", ")) FROM \(route.tables)" + clause
    let member = "\(Self.tuple(here)) \(negated ? "NOT IN" : "IN") " + rows.inParentheses
    let missing = nullable(pairs.map(\.here)).map { SQLFragment(subject.column($0) + " IS NULL") }
    if missing.isEmpty || !negated { return .sql(member) }
    return disjunction(LoweredCondition.sql(member).behind(missing.map { .sql($0) }))
  }

  /// Whether SQLite may miss values of attributes in a list of a bare table. It looks for them in an index, and where that has the columns
  /// in another order it gives each value the affinity of its neighbour: `("a", "b") IN (SELECT "x", "y" FROM "t")` does not find the text
  /// `012` in an index on `"y", "x"` (seen in 3.40; sqlite3ExprCodeIN in its expr.c). Of a table with a condition it makes a list of its
  /// own.
  static func areUnlike(_ attributes: [Attribute]) -> Bool {
    Set(attributes.map(\.type)).count > 1 || attributes.count > 1 && attributes.contains { $0.type == .any }
  }

  private func nullable(_ attributes: [Attribute]) -> [Attribute] { attributes.filter(\.isOptional) }

  /// A comparison that speaks of attributes over one to-one relationship alone, and of values, as a semi-join over that; nil for others.
  ///
  /// Where there is no row, its attributes are null: a comparison that is true of null is false of just those rows of which it is false over
  /// there.
  mutating func throughRelationship(_ leaf: Condition, negated: Bool, in context: TermContext) -> LoweredCondition? {
    guard context == .row, let name = leaf.commonRelationship, subject.entity.relationship(name)?.isToMany == false,
      // A name may have dots of its own.
      !leaf.terms.contains(where: { $0.paths.contains { subject.entity[$0.description] != nil } })
    else { return nil }
    let inner = leaf.withinRelationship
    return leaf.isTrueOfNulls
      ? some([name], .not(inner), negated: !negated, in: context) : some([name], inner, negated: negated, in: context)
  }

  // MARK: Values

  /// `(SELECT "t1"."name" FROM "country" AS "t1" WHERE "t1"."code" = "zone"."country_code")`
  mutating func relatedField(_ path: FieldPath) -> RenderedTerm {
    guard let route = route(path.first, of: path.description) else { return unknown(subject.path + path.description) }
    if route.isToMany {
      report(subject.path + path.first, "leads to many rows; use any, all, none or an aggregate")
      return unknown(subject.path + path.description)
    }
    var value = from(route.last) { $0.render(.field(path.dropFirst), in: .row) }
    value.sql = ("SELECT " + value.sql + " FROM \(route.first.table) WHERE \(route.first.matches(subject))").inParentheses
    value.isNullable = true
    return value
  }

  /// `(SELECT COUNT(*) FROM "transition" AS "t1" WHERE "t1"."zone_id" = "zone"."id" AND …)`; each row that the path leads to counts once.
  mutating func related(
    _ aggregate: Aggregate, _ path: FieldPath, _ inner: Term?, _ condition: Condition, in context: TermContext
  ) -> RenderedTerm {
    let here = subject
    defer { subject = here }
    var stops: [Route.Stop] = []
    for name in path.names {
      guard let route = route(name) else {
        if let inner { skip(inner) }
        skip(condition)
        return unknown(here.path + path.description)
      }
      stops += route.stops
      subject = route.last
    }
    guard let last = stops.last else {
      report("", "\(aggregate.rawValue) needs a relationship")
      return unknown("")
    }
    // The rows of an aggregate are those that its row leads to.
    var value = reaching(.row(here)) { $0.call(aggregate, of: inner) }
    let filter = reaching(.row(subject)) { $0.lower(condition, in: .row) }
    let start = stops[0].matches(here)
    var reached = start
    if stops.count > 1 {
      // The stops before the last are joined: SQLite's parser has no room for a subquery each.
      let way = zip(stops, stops.dropFirst()).dropLast().reduce(stops[0].table) {
        "\($0) JOIN \($1.1.table) ON \($1.1.matches($1.0.subject))"
      }
      let before = stops[stops.count - 2].subject
      let there = last.pairs.map { last.subject.outerColumn($0.there) }
      let rows = "SELECT \(last.pairs.map { before.outerColumn($0.here) }.joined(separator: ", ")) FROM \(way) WHERE \(start)"
      reached = "\(Self.tuple(there)) IN (\(rows))"
    }
    value.sql =
      ("SELECT " + value.sql + " FROM \(last.table)" + whereClause(conjunction(filter.behind([.sql(SQLFragment(reached))])))).inParentheses
    value.path = here.path + path.description
    return value
  }

  // MARK: Ways

  /// The way over a relationship of the subject; nil where there is none, which is reported for the path that names it.
  private mutating func route(_ name: String, of path: String? = nil) -> Route? {
    guard let relationship = subject.entity.relationship(name) else {
      let entity = subject.entity
      if let attribute = entity[name] {
        report(subject.path + (path ?? name), "\(entity.name).\(name) is an attribute of \(attribute.type), which leads nowhere")
        return nil
      }
      report(CriteriaProblem(unknownRelationship: name, of: entity, at: subject.path + name))
      return nil
    }
    readsOtherRows = true
    var way = subject.way
    do {
      let stops = try subject.entity.steps(of: relationship).map { step in
        // The criteria's own table has no alias; one that is called like an alias must not be hidden by it.
        repeat { aliasCount += 1 } while SchemaName.same(entity.table, "t\(aliasCount)")
        aliases["t\(aliasCount)"] = step.target.table
        if !reached.contains(where: { $0 === step.target }) { reached.append(step.target) }
        var there = Subject(entity: step.target, alias: "t\(aliasCount)".quotedIdentifier, path: subject.path + name + ".")
        way.append(Route.Stop(subject: there, pairs: step.pairs))
        there.way = way
        return Route.Stop(subject: there, pairs: step.pairs)
      }
      return Route(first: stops[0], second: stops.count > 1 ? stops[1] : nil, isToMany: relationship.isToMany)
    } catch {
      report(subject.path + name, "\(error)")
      return nil
    }
  }

  /// Renders something that stands in the rows of another subject.
  private mutating func from<Rendered>(_ other: Subject, _ render: (inout SQLRenderer) -> Rendered) -> Rendered {
    let here = subject
    subject = other
    defer { subject = here }
    return reaching(.row(other), render)
  }

  /// Passes over the literals of what can't be rendered, so that those behind it keep their places.
  private mutating func skip(_ condition: Condition) { nextLiteral += CriteriaShape.literalCount(of: condition) }

  private mutating func skip(_ term: Term) { nextLiteral += CriteriaShape.literalCount(of: term) }

  static func tuple(_ columns: [String]) -> String { columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ", ")))" }
}

// MARK: Comparisons over one relationship

extension Condition {
  /// The relationship that all attributes of a comparison are reached by, where it has no others.
  var commonRelationship: String? {
    switch node {
    case .compare, .between, .among, .isNull, .matches, .search: break
    case .constant, .all, .any, .not, .some, .tooDeep: return nil
    }
    let paths = terms.flatMap(\.paths)
    guard let first = paths.first, terms.allSatisfy(\.isNullOfNulls),
      paths.allSatisfy({ !$0.rest.isEmpty && $0.first == first.first })
    else { return nil }
    return first.first
  }

  /// The comparison as the relationship's rows have it.
  var withinRelationship: Condition {
    switch node {
    case .compare(let left, let comparison, let right): .compare(left.withinRelationship, comparison, right.withinRelationship)
    case .between(let term, let lower, let upper):
      .between(term.withinRelationship, lower.withinRelationship, upper.withinRelationship)
    case .among(let term, let values): .among(term.withinRelationship, values)
    case .isNull(let term): .isNull(term.withinRelationship)
    case .matches(let term, let match, let pattern, let caseSensitive):
      .matches(term.withinRelationship, match, pattern, caseSensitive: caseSensitive)
    case .search(let search): .search(TextSearch(search.path.dropFirst, search.query))
    case .constant, .all, .any, .not, .some, .tooDeep: self
    }
  }

  /// Whether a comparison is true where all its attributes are null.
  var isTrueOfNulls: Bool {
    switch node {
    case .compare(let left, .equal, let right): left.isNullWithoutRow && right.isNullWithoutRow
    case .compare(let left, .notEqual, let right): left.isNullWithoutRow != right.isNullWithoutRow
    case .among(_, let values): values.contains(.null)
    case .isNull: true
    default: false
    }
  }
}

extension Term {
  /// Whether rows have a part in its value that are reached from those of an entity.
  func isRelated(to entity: EntityDescription) -> Bool {
    switch self {
    // A name may have dots of its own.
    case .field(let path): !path.rest.isEmpty && entity[path.description] == nil
    case .function(_, let terms): terms.contains { $0.isRelated(to: entity) }
    case .related, .search: true
    case .value, .aggregate, .unstorable: false
    }
  }

  /// The attributes in it.
  fileprivate var paths: [FieldPath] {
    switch self {
    case .field(let path): [path]
    case .function(_, let terms): terms.flatMap(\.paths)
    case .value, .aggregate, .related, .search, .unstorable: []
    }
  }

  /// Whether it is a value, or null wherever its attributes are. JSON of a value alone may be null, whatever rows there are.
  fileprivate var isNullOfNulls: Bool {
    switch self {
    case .field, .value: true
    case .function(.coalesce, _), .aggregate, .related, .search, .unstorable: false
    case .function(let function, let terms):
      terms.allSatisfy(\.isNullOfNulls) && (function.jsonType == nil || isNullWithoutRow)
    }
  }

  /// Whether one that is null wherever its attributes are is null where they all are: a function of a value is no more than the value.
  fileprivate var isNullWithoutRow: Bool {
    switch self {
    case .value(let scalar): scalar.isNull
    case .function(_, let terms): terms.contains(where: \.isNullWithoutRow)
    case .field: true
    case .aggregate, .related, .search, .unstorable: false
    }
  }

  fileprivate var withinRelationship: Term {
    switch self {
    case .field(let path): .field(path.dropFirst)
    case .function(let function, let terms): .function(function, terms.map(\.withinRelationship))
    case .value, .aggregate, .related, .search, .unstorable: self
    }
  }
}

extension FieldPath {
  /// What follows the first name.
  var dropFirst: FieldPath { rest.dropFirst().reduce(FieldPath.root.appending(rest.first ?? "")) { $0.appending($1) } }
}
