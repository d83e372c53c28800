import DAOKit

/// A row of one of four tables: whose it is, a number, and the row of another table that it belongs to.
package struct Item<Kind: ItemKind>: Entity {
  package var id: Int64?
  package var label: String
  package var owner: Int
  package var number: Int
  package var parentID: Int64?
  package var version = 0

  package static var entityDescription: EntityDescription { Kind.entity }

  package struct Fields: EntityFields {
    private let path: FieldPath
    package init(path: FieldPath) { self.path = path }
    package var id: Field<Int64?> { path.field("id") }
    package var label: Field<String> { path.field("label") }
    package var owner: Field<Int> { path.field("owner") }
    package var number: Field<Int> { path.field("number") }
    package var parentID: Field<Int64?> { path.field("parentID") }
    /// Those of the row that it belongs to.
    package var parentLabel: Field<String?> { path.appending("parent").field("label") }
    package var parentNumber: Field<Int?> { path.appending("parent").field("number") }
  }

  package init(_ label: String, of owner: Int, _ number: Int, in parentID: Int64?) {
    (self.label, self.owner, self.number, self.parentID) = (label, owner, number, parentID)
  }

  package var primaryKey: Int64? { id }
  package mutating func setGeneratedKey(_ key: Int64) { id = key }
  package mutating func raiseVersion() { version = version.nextVersion }

  package init(row: inout RowReader) throws {
    (id, label, owner, number, parentID) = (try row.next(), try row.next(), try row.next(), try row.next(), try row.next())
    if Kind.isVersioned { version = try row.next() }
  }

  package func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(label)
    try row.write(owner)
    try row.write(number)
    try row.write(parentID)
    if Kind.isVersioned { try row.write(version) }
  }

  /// All that a list shows of it.
  package var text: String { "\(label) of \(owner): \(number) in \(parentID.map { "\($0)" } ?? "none"), version \(version)" }
}
