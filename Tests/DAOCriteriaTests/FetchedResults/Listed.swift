import DAOCriteria

/// A row of lists that come from no store.
struct Listed: Entity, Equatable {
  var id: Int64
  var value: Int

  static let entityDescription = EntityDescription(
    "listed", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("value", .integer)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
  }

  init(_ id: Int, value: Int = 0) { (self.id, self.value) = (Int64(id), value) }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws { (id, value) = (try row.next(), try row.next()) }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(value)
  }
}
