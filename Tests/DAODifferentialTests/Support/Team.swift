import DAOKit

/// A team of ``Player``s.
struct Team: Entity {
  var id: Int

  static let entityDescription = EntityDescription(
    "team", key: .assigned(["id"]), attributes: [Attribute("id", .integer)],
    relationships: [.toMany("players", Player.entityDescription, by: "teamID")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int> { path.field("id") }
    var players: RelatedField<Player> { path.related("players") }
  }

  init(_ id: Int) { self.id = id }

  var primaryKey: Int? { id }

  init(row: inout RowReader) throws { id = try row.next() }

  func write(to row: inout ColumnWriter) throws { try row.write(id) }
}
