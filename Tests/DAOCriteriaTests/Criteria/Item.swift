import DAOCriteria

/// An entity for criteria that are never run.
struct Item: Entity {
  var id: Int64?
  var name: String
  var price: Int
  var note: String?

  static let entityDescription = EntityDescription(
    "item", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("price", .integer), Attribute("note", .text, optional: true),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var name: Field<String> { path.field("name") }
    var price: Field<Int> { path.field("price") }
    var note: Field<String?> { path.field("note") }
    var parent: Fields { Fields(path: path.appending("parent")) }
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    price = try row.next()
    note = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(price)
    try row.write(note)
  }
}
