import DAOKit

/// An entity with a version that was written by hand, without `raiseVersion`.
struct Unraised: Entity, Hashable {
  var id: Int64?
  var name: String
  var version = 0

  static let entityDescription = EntityDescription(
    "unraised", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("version", .integer, default: 0, version: true)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var name: Field<String> { path.field("name") }
  }

  init(id: Int64? = nil, _ name: String) { (self.id, self.name) = (id, name) }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws { (id, name, version) = (try row.next(), try row.next(), try row.next()) }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(version)
  }
}
