import DAOKit

/// A row of a foreign table with one of its columns, as a Swift type reads it.
struct TypedColumn<Value: AttributeValue>: Entity {
  var id: Int64?
  var value: Value?

  static var entityDescription: EntityDescription {
    EntityDescription(
      "column", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", Value.attributeType, optional: true)])
  }

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var value: Field<Value?> { path.field("value") }
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    value = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(value)
  }
}
