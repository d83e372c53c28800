import DAOCriteria

/// A table, or its alias, whose columns terms name: the criteria's entity's, or one that a relationship leads to.
struct TableReference {
  let entity: EntityDescription
  /// The alias of a related entity's table.
  var alias: String?
  /// The tables that are joined from the criteria's entity to it.
  var path: [JoinPath.Table] = []

  var isRelated: Bool { alias != nil }

  /// How a subquery names its rows.
  var name: SQLFragment { "\(name: alias ?? entity.table)" }

  /// A column where nothing hides it.
  func column(_ attribute: Attribute) -> SQLFragment { isRelated ? outerColumn(attribute) : "\(name: attribute.column)" }

  /// A column from within a subquery, whose own columns come first.
  func outerColumn(_ attribute: Attribute) -> SQLFragment { "\(name).\(name: attribute.column)" }
}
