import DAOKit
import Foundation

// The entities of the imports, written by hand: deliveries from depots, with items.

struct Depot: Entity {
  let code: String
  let city: String

  static let entityDescription: EntityDescription = EntityDescription(
    "depot", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("city", .text)])

  struct Fields: EntityFields {
    init(path: FieldPath) {}
  }

  var primaryKey: String? { code }

  init(row: inout RowReader) throws {
    code = try row.next()
    city = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(code)
    try row.write(city)
  }
}

struct Delivery: Entity {
  let id: Int64
  let number: Int64
  let recipient: String
  let note: String?
  let weight: Double
  let sent: Date
  let depot: String

  static let entityDescription: EntityDescription = EntityDescription(
    "delivery", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("number", .integer), Attribute("recipient", .text), Attribute("note", .text, optional: true),
      Attribute("weight", .real),
      Attribute("sent", .date(.unixMilliseconds), mapping: AttributeMapping(dates: [.unixMilliseconds])), Attribute("depot", .text),
    ],
    indexes: [Index(on: "number", unique: true)],
    relationships: [
      .toOne("depot", Depot.entityDescription, by: "depot"), .toMany("items", Item.entityDescription, by: "delivery"),
    ])

  struct Fields: EntityFields {
    init(path: FieldPath) {}
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    number = try row.next()
    recipient = try row.next()
    note = try row.next()
    weight = try row.next()
    sent = try row.next()
    depot = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(number)
    try row.write(recipient)
    try row.write(note)
    try row.write(weight)
    try row.write(sent)
    try row.write(depot)
  }
}

struct Item: Entity {
  let id: Int64
  let delivery: Int64
  let article: String
  let pieces: Int

  static let entityDescription: EntityDescription = EntityDescription(
    "item", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("delivery", .integer), Attribute("article", .text), Attribute("pieces", .integer),
    ],
    relationships: [.toOne("delivery", Delivery.entityDescription, by: "delivery")])

  struct Fields: EntityFields {
    init(path: FieldPath) {}
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    delivery = try row.next()
    article = try row.next()
    pieces = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(delivery)
    try row.write(article)
    try row.write(pieces)
  }
}
