import DAOKit
import Foundation

/// A player of a ``Team``: texts, numbers, decimals and dates, each of which may be missing.
struct Player: Entity {
  var id: Int64?
  var name: String?
  var rank: Int?
  var fee: Decimal?
  var joinedAt: Date?
  var teamID: Int

  static let entityDescription = EntityDescription(
    "player", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, optional: true), Attribute("rank", .integer, optional: true),
      Attribute("fee", .decimal(.text), optional: true), Attribute("joinedAt", .date(.iso8601), optional: true),
      Attribute("teamID", .integer),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var name: Field<String?> { path.field("name") }
    var rank: Field<Int?> { path.field("rank") }
    var fee: Field<Decimal?> { path.field("fee") }
    var joinedAt: Field<Date?> { path.field("joinedAt") }
    var teamID: Field<Int> { path.field("teamID") }
  }

  init(_ name: String?, rank: Int?, fee: Decimal?, joinedAt: Date?, of teamID: Int) {
    self.name = name
    self.rank = rank
    self.fee = fee
    self.joinedAt = joinedAt
    self.teamID = teamID
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    rank = try row.next()
    fee = try row.next()
    joinedAt = try row.next()
    teamID = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(rank)
    try row.write(fee)
    try row.write(joinedAt)
    try row.write(teamID)
  }
}
