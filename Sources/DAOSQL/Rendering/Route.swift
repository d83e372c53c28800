import DAOCriteria

/// The way from a subject to the rows of one of its relationships.
struct Route {
  /// A table on the way.
  struct Stop {
    let subject: Subject
    /// The attributes of the stop before and those here that they are equal to.
    let pairs: [(here: Attribute, there: Attribute)]

    /// The table with its alias.
    var table: SQLFragment { "\(name: subject.entity.table) AS \(subject.name)" }

    /// `"t1"."code" = "zone"."country_code"`
    func matches(_ before: Subject) -> SQLFragment {
      pairs.map { "\(subject.outerColumn($0.there)) = \(before.outerColumn($0.here))" }.joined(" AND ")
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
  var tables: SQLFragment {
    second.map { "\(first.table) JOIN \($0.table) ON \($0.matches(first.subject))" } ?? first.table
  }
}
