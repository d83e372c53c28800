import DAOMacros
import DAOMacrosTestEntities
import Foundation
import Testing

@Suite("Every form of description")
struct FormTests {
  @Test func `names, indexes, references and defaults`() {
    let byHand = EntityDescription(
      "tz_zone", table: "zones", key: .generated("id"),
      attributes: [
        Attribute("id", .integer),
        Attribute("name", .text),
        Attribute("country", .text, references: ForeignKey(table: "countries", column: "code", onDelete: .cascade)),
        Attribute("created", .date(.unixMilliseconds), column: "created_at"),
        Attribute("offset", .integer, default: -3600),
        Attribute("rank", .real, default: 0),
        Attribute("comment", .text, optional: true),
        Attribute("tags", .json, default: "[]"),
        Attribute("price", .decimal(.text), default: .decimal(1.5)),
      ],
      indexes: [
        Index(on: "name", unique: true), Index(on: "country"), Index(on: "country", "name", unique: true), Index(on: "name", "offset"),
      ])
    #expect(Zone.entityDescription == byHand)
    #expect(byHand.problems == [])
  }

  @Test func `a UUID and a reference to the entity itself`() {
    let byHand = EntityDescription(
      "device", key: .assigned(["id"]),
      attributes: [
        Attribute("id", .uuid(.blob)),
        Attribute("parent", .uuid(.text), optional: true, references: ForeignKey(table: "device", column: "id", onDelete: .nullify)),
      ])
    #expect(Device.entityDescription == byHand)
    #expect(byHand.problems == [])
  }

  @Test func `days, times and dates in other forms`() throws {
    let byHand = EntityDescription(
      "opening", key: .generated("id"),
      attributes: [
        Attribute("id", .integer),
        Attribute("day", .date(.text("YYYY-MM-DD"))),
        Attribute("opens", .date(.text("HH:MM")), optional: true),
        Attribute("noted", .date(.text(DatePattern("YYYY-MM-DD HH:MM:SS", zone: "Europe/Bratislava")))),
        Attribute("changed", .date(.secondsSince2001)),
      ])
    #expect(Opening.entityDescription == byHand)
    #expect(byHand.problems == [])
    let openings = try DAOFactory(store: .inMemory(), entities: Opening.self).runtimeDAO(Opening.self)
    let ten = try #require(TimeOfDay(10, 0))
    let noon = Date(timeIntervalSince1970: 1_795_258_800)
    let opening = try openings.insert(
      Opening(day: try #require(CalendarDay("2026-11-21")), opens: TimeOfDay(9, 30), noted: noon, changed: noon))
    #expect(
      try openings.query("SELECT day || opens || noted FROM opening") { try $0.next(String.self) } == ["2026-11-2109:302026-11-21 12:00:00"]
    )
    #expect(try openings.findAll(.where { $0.day >= opening.day && $0.opens < ten }) == [opening])
  }

  @Test func `a key of the person's own type`() {
    #expect(Medium.entityDescription == EntityDescription("medium", key: .assigned(["kind"]), attributes: [Attribute("kind", .text)]))
    #expect(Medium(kind: .sea).primaryKey == .sea)
  }

  @Test func `a composite key`() {
    let byHand = EntityDescription(
      "transition", key: .assigned(["zone", "instant", "kind"]),
      attributes: [
        Attribute("zone", .integer, column: "zone_id"),
        Attribute("instant", .date(.unixSeconds)),
        Attribute("kind", .text),
        Attribute("offset", .integer),
      ])
    #expect(Transition.entityDescription == byHand)
    #expect(byHand.problems == [])
  }

  @Test func `a view with its definition and without`() {
    let attributes = [Attribute("code", .text), Attribute("zones", .integer)]
    let definition = "SELECT country AS code,\n       count(*) AS zones\n  FROM zone GROUP BY country"
    #expect(
      Usage.entityDescription
        == EntityDescription("usage", source: .view(definition: definition), key: .assigned(["code"]), attributes: attributes))
    #expect(
      ShippedUsage.entityDescription
        == EntityDescription("usage", source: .view(definition: nil), key: .assigned(["code"]), attributes: attributes))
    #expect(
      Library.Filling.entityDescription
        == EntityDescription(
          "filling", source: .view(definition: "SELECT shelf,\n  count(*) AS books\nFROM book GROUP BY shelf"), key: .assigned(["shelf"]),
          attributes: [Attribute("shelf", .text), Attribute("books", .integer)]))
    #expect(Usage.entityDescription.isReadOnly && ShippedUsage.entityDescription.isReadOnly)
  }

  @Test func `names that stand in each other's way`() throws {
    let byHand = EntityDescription(
      "field", key: .generated("key"),
      attributes: [
        Attribute("key", .integer), Attribute("path", .text), Attribute("row", .integer), Attribute("self", .integer),
        Attribute("default", .integer, optional: true),
      ])
    #expect(Names.field == byHand)
    #expect(
      try Names.roundTrip([.null, .text("a/b"), .integer(1), .integer(2), .null]) == [
        .integer(7), .text("a/b"), .integer(1), .integer(2), .null,
      ])
    #expect(Names.fieldTerms == byHand.attributes.map { .field(FieldPath("library.\($0.name)")) })
  }

  @Test func `an entity within another type`() throws {
    let byHand = EntityDescription(
      "book", key: .assigned(["shelf", "place"]),
      attributes: [
        Attribute("shelf", .text), Attribute("place", .integer), Attribute("number", .integer, optional: true),
        Attribute("title", .text, optional: true), Attribute("others", .json),
      ])
    #expect(Library.Book.entityDescription == byHand)
    let book = Library.Book(shelf: .low, place: 3, number: nil, title: "Atlas", others: [.init(text: "torn")])
    #expect(try book.stored == [.text("low"), .integer(3), .null, .text("Atlas"), .text(#"[{"text":"torn"}]"#)])
    #expect(try Library.Book(stored: book.stored) == book)
    #expect(book.primaryKey == .init(shelf: .low, place: 3))
    let number: Field<Int?> = Library.Book.Fields(path: .root).number
    #expect(number.term == .field(FieldPath("number")))
  }

  @Test func `an entity of another module`() throws {
    let country = Country(code: "SK", name: "Slovakia")
    #expect(
      Country.entityDescription
        == EntityDescription(
          "country", table: "countries", key: .assigned(["code"]),
          attributes: [
            Attribute("code", .text), Attribute("name", .text), Attribute("notes", .text, optional: true),
            Attribute("visits", .integer, default: 0),
          ],
          indexes: [Index(on: "name", unique: true)]))
    #expect(country.primaryKey == "SK")
    #expect(try country.stored == [.text("SK"), .text("Slovakia"), .null, .integer(0)])
    #expect(try Country(stored: country.stored) == country)
    #expect(Country.Fields(path: .root).name.term == .field(FieldPath("name")))
    #expect(Border(first: "SK", second: "AT").primaryKey == Border.PrimaryKey(first: "SK", second: "AT"))
  }
}

@Suite("Keys and initialisers")
struct KeyTests {
  private let instant = Date(timeIntervalSince1970: 1_000_000_000)

  @Test func `a generated key is nil until it is set`() throws {
    var zone = Zone(name: "Europe/Bratislava", country: "SK", created: instant)
    #expect(zone.primaryKey == nil)
    #expect(try zone.stored.first == .null)
    zone.setGeneratedKey(42)
    #expect(zone.primaryKey == 42)
    #expect(zone.id == 42)
    #expect(try zone.stored.first == .integer(42))
  }

  @Test func `the memberwise initialiser is there and values that are not in the row are the initial ones`() throws {
    var zone = Zone(id: 1, name: "a", country: "SK", created: instant, offset: 7, rank: 1, comment: "c", tags: ["t"], price: 2)
    zone.comment = "d"
    #expect(zone.changes == 1)
    let read = try Zone(stored: zone.stored)
    #expect(read.changes == 0)
    zone.changes = 0
    #expect(read == zone)
    #expect(read.offset == 7 && read.tags == ["t"] && read.isWest == false && Zone.shared == 1)
  }

  @Test func `setting a generated key does nothing where keys are assigned`() {
    var medium = Medium(kind: .land)
    medium.setGeneratedKey(7)
    #expect(medium.kind == .land)
  }

  @Test func `a composite key reads and writes its parts in the stored form of its attributes`() throws {
    let transition = Transition(zone: 7, instant: instant, kind: .land, offset: 3600)
    let key = Transition.PrimaryKey(zone: 7, instant: instant, kind: .land)
    #expect(transition.primaryKey == key)
    let stored = try key.stored(in: Transition.entityDescription)
    #expect(stored == [.integer(7), .integer(1_000_000_000), .text("land")])
    var row = RowReader(stored, columns: RowColumns(Transition.entityDescription.keyAttributes.map(\.type)))
    #expect(try Transition.PrimaryKey(row: &row) == key)
    #expect(try Transition(stored: transition.stored) == transition)
    #expect(key != Transition.PrimaryKey(zone: 7, instant: instant, kind: .sea))
  }

  @Test func `single keys keep the type of their property`() throws {
    let id = UUID()
    let device = Device(id: id, parent: id)
    #expect(device.primaryKey == id)
    #expect(try device.stored == [.blob(withUnsafeBytes(of: id.uuid) { Data($0) }), .text(id.uuidString.lowercased())])
    #expect(Usage(code: "SK", zones: 1).primaryKey == "SK")
  }
}

@Suite("Fields")
struct FieldTests {
  @Test func `each field has the type of its property, a generated key without the optional`() {
    let fields = Zone.Fields(path: .root)
    let id: Field<Int64> = fields.id
    let created: Field<Date> = fields.created
    let comment: Field<String?> = fields.comment
    #expect(id.term == .field(FieldPath("id")))
    #expect(created.term == .field(FieldPath("created")))
    #expect(comment.term == .field(FieldPath("comment")))
  }

  @Test func `a field is reached by the path of its entity`() {
    #expect(Zone.Fields(path: FieldPath("parent.parent")).name.term == .field(FieldPath("parent.parent.name")))
  }
}
