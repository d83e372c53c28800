import DAOCriteria

/// The rows for which a function that may fail is worked out.
enum Reach {
  /// Those of a table that are reached from the criteria's entity.
  case row(TableReference)
  /// All of a table's entity, where one of them is reached.
  case any(TableReference)
}

// Some functions fail: of a number without a magnitude in 64 bits, of a sum that does not fit, of a stored value of another form. SQLite
// may work them out for rows beyond a relationship that no row here refers to, to make a list of keys, or before it compares the keys. Such
// rows are no part of the query, and must not end it: for them the function gets null.
extension SQLRenderer {
  /// The argument of a function that may fail: `CASE WHEN "t1"."id" IN (SELECT "bookID" FROM "author") THEN "t1"."pages" END`.
  func reached(_ argument: SQLFragment, _ term: CheckedTerm) -> SQLFragment {
    // An aggregate that named other rows' columns alone would be one over those rows to SQLite.
    guard term.dependsOnRow else { return argument }
    let condition =
      switch reach {
      case .row(let table): isReached(table)
      case .any(let table): table.hasReachedRow(from: entity)
      }
    guard let condition else { return argument }
    return "CASE WHEN \(condition) THEN \(argument) END"
  }

  /// `"t2"."id" IN (SELECT "t1"."bookID" FROM "author" JOIN "loan" AS "t1" ON "t1"."authorID" = "author"."id")`: whether a table's row is
  /// reached from a row of the criteria's entity; nil for that entity itself.
  private func isReached(_ table: TableReference) -> SQLFragment? {
    guard let last = table.path.last else { return nil }
    let (tables, before) = TableReference.tables(from: entity, table.path.dropLast())
    if Self.areUnlike(last.pairs.map(\.here)) { return "EXISTS (SELECT 1 FROM \(tables) WHERE \(last.matches(before)))" }
    let here = last.pairs.map { table.outerColumn($0.there) }
    let there = last.pairs.map { before.outerColumn($0.here) }.joined(", ")
    return "\(Self.tuple(here)) IN (SELECT \(there) FROM \(tables))"
  }

  /// Returns the operator for equality with a value that is not null: `=`, or `IS` for an attribute if the criteria contain a function that
  /// fails for some of the attribute's values.
  ///
  /// SQLite puts the value of `x = ?` in place of `x` in the other conditions beside it (`propagateConstants` in its select.c): `abs("x")`
  /// would be worked out for a value that no row has, and fail. It does not with `IS`, which an index serves too, unless that is one over
  /// `WHERE "x" IS NOT NULL`. Of whole numbers beside `abs`, which fails of no other value, and of texts beside `replace` and `concat`. A
  /// row's own key keeps `=`: the row is looked up first, and these functions, which are not deterministic, are not evaluated before a row
  /// is found.
  func equalSign(_ term: CheckedTerm) -> String {
    switch term.node {
    case .attribute, .beyond: break
    case .value, .function, .aggregate, .related, .search, .unknown: return "="
    }
    let fails =
      switch term.type {
      case .integer, .decimal(.scaled), .decimal(.numeric): criteria.failing.contains(.number)
      case .text, .storedText, .json: criteria.failing.contains(.text)
      case .any: !criteria.failing.isEmpty
      // No function of these fails.
      case .bool, .boolText, .real, .data, .uuid, .date, .decimal(.text), .decimal(.real): false
      }
    return fails ? "IS" : "="
  }

  /// Renders a part that is evaluated for other rows.
  mutating func reaching<Rendered>(_ other: Reach, _ render: (inout SQLRenderer) -> Rendered) -> Rendered {
    let here = reach
    reach = other
    defer { reach = here }
    return render(&self)
  }
}

extension TableReference {
  /// `EXISTS (SELECT 1 FROM "author" JOIN "book" AS "t1" ON …)`: whether any row of the table's entity is reached.
  fileprivate func hasReachedRow(from root: EntityDescription) -> SQLFragment? {
    path.isEmpty ? nil : "EXISTS (SELECT 1 FROM \(Self.tables(from: root, path[...]).joined))"
  }

  /// The tables on a path, each joined to the one before, and the last of them.
  fileprivate static func tables(from root: EntityDescription, _ path: ArraySlice<JoinPath.Table>) -> (
    joined: SQLFragment, last: TableReference
  ) {
    var last = TableReference(entity: root)
    var joined: SQLFragment = "\(name: root.table)"
    for next in path {
      joined.append(" JOIN \(next.sql) ON \(next.matches(last))")
      last = next.reference
    }
    return (joined, last)
  }
}
