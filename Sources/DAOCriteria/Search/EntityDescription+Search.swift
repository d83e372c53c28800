// A table whose attributes are searchable has a search table beside it: FTS5 with the table's own rows as its content, found by their row
// id.
extension EntityDescription {
  /// The attributes that are searched, in the order of the search table's columns: by the columns' names, since the order in which an
  /// entity declares its attributes has no meaning.
  public var searchableAttributes: [Attribute] {
    attributes.filter(\.isSearchable).sorted { $0.column.utf8.lexicographicallyPrecedes($1.column.utf8) }
  }

  /// The name of the search table: `zone_search`.
  public var searchTable: String { Self.searchTable(of: table) }

  /// The name of a table's search table.
  package static func searchTable(of table: String) -> String { table + "_search" }

  /// The problems of the attributes declared searchable.
  var searchProblems: [String] {
    let searchable = searchableAttributes
    guard let first = searchable.first else { return [] }
    var problems: [String] = []
    if isReadOnly { problems.append("\(name) is a view, and only a table can be searched") }
    // Any other row id may change when the store is made smaller (VACUUM).
    if keyAttributes.count != 1 || keyAttributes[0].type != .integer {
      problems.append("\(name).\(first.name) is searchable, and that needs a key of one integer, by which rows are found")
    }
    for attribute in searchable {
      if attribute.type != .text, !attribute.type.isCollated {
        problems.append("\(name).\(attribute.name) is searchable and no text, but \(attribute.type)")
      }
      if ["rank", "rowid", searchTable].contains(where: { SchemaName.same($0, attribute.column) }) {
        problems.append(
          "\(name).\(attribute.name) is searchable, and its column has a name that FTS5 keeps for itself: '\(attribute.column)'")
      }
    }
    return problems
  }
}
