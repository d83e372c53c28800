import DAOCriteria

/// The joins from a table to the rows of one of its relationships.
struct JoinPath {
  /// A table that is joined.
  struct Table {
    let reference: TableReference
    /// The attributes of the table before and those here that they are equal to.
    let pairs: [(here: Attribute, there: Attribute)]

    /// `"country" AS "t1"`
    var sql: SQLFragment { "\(name: reference.entity.table) AS \(reference.name)" }

    /// `"t1"."code" = "zone"."country_code"`
    func matches(_ before: TableReference) -> SQLFragment {
      pairs.map { "\(reference.outerColumn($0.there)) = \(before.outerColumn($0.here))" }.joined(" AND ")
    }
  }

  /// The table that is reached first: the pairs of a many-to-many relationship, else the entity's.
  let first: Table
  /// The related entity's, where it is not the first.
  let second: Table?
  let isToMany: Bool

  var tables: [Table] { [first] + (second.map { [$0] } ?? []) }

  var last: TableReference { second?.reference ?? first.reference }

  /// `"country" AS "t1"`, or `"zone_country" AS "t1" JOIN "country" AS "t2" ON …`
  var sql: SQLFragment {
    second.map { "\(first.sql) JOIN \($0.sql) ON \($0.matches(first.reference))" } ?? first.sql
  }
}
