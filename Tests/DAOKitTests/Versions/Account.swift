import DAOKit

/// An entity with a version.
struct Account: Entity, Hashable {
  var id: Int64?
  var owner: String
  var balance: Int
  var version: Int

  static let entityDescription = EntityDescription(
    "account", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("owner", .text), Attribute("balance", .integer),
      Attribute("version", .integer, column: "row_version", default: 0, version: true),
    ],
    indexes: [Index(on: "owner", unique: true)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var owner: Field<String> { path.field("owner") }
    var balance: Field<Int> { path.field("balance") }
    var version: Field<Int> { path.field("version") }
  }

  init(id: Int64? = nil, _ owner: String, _ balance: Int, version: Int = 0) {
    (self.id, self.owner, self.balance, self.version) = (id, owner, balance, version)
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }
  mutating func raiseVersion() { version = version.nextVersion }

  init(row: inout RowReader) throws { (id, owner, balance, version) = (try row.next(), try row.next(), try row.next(), try row.next()) }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(owner)
    try row.write(balance)
    try row.write(version)
  }
}
