import DAOMacros
import Foundation

// One entity for each form that a description has.

@Entity("tz_zone", table: "zones", indexes: [Index(on: "country", "name", unique: true), .init(on: ["name", "offset"], unique: false)])
struct Zone: Hashable, Identifiable {
  @ID var id: Int64?
  @Attribute(.unique) var name: String
  @Attribute(.references("countries", "code", onDelete: .cascade), .indexed) var country: String
  @Attribute(.column("created_at"), .unixMilliseconds) var created: Date
  var offset: Int = -3_600, rank: Double = 0
  var comment: String? {
    didSet { changes += 1 }
  }
  @Transient var changes: Int = 0
  var tags: [String] = []
  var price: Decimal = 1.5
  static let shared = 1
  var isWest: Bool { offset < 0 }
}

@Entity
struct Device {
  @ID let id: UUID
  @Attribute(.references("device", "id", onDelete: .nullify), .uuidText) var parent: UUID?
}

@Entity
struct Opening: Hashable {
  @ID var id: Int64?
  var day: CalendarDay
  @Attribute(.dateText("HH:MM")) var opens: TimeOfDay?
  @Attribute(.dateText("YYYY-MM-DD HH:MM:SS", zone: "Europe/Bratislava")) var noted: Date
  @Attribute(.secondsSince2001) var changed: Date
}

@Entity
struct Medium {
  @ID var kind: Kind
}

@Entity
struct Transition: Hashable {
  @ID @Attribute(.column("zone_id")) var zone: Int64
  @ID @Attribute(.unixSeconds) var instant: Date
  @ID let kind: Kind
  var offset: Int
}

@Entity(
  source: .view(
    definition: """
      SELECT country AS code,
             count(*) AS zones
        FROM zone GROUP BY country
      """))
struct Usage {
  @ID var code: String
  var zones: Int
}

@Entity("usage", source: .view(definition: nil))
struct ShippedUsage {
  @ID var code: String
  var zones: Int
}

enum Library {
  enum Shelf: String, AttributeValue, EntityKey { case low, high }
  typealias Number = Int?

  // The types beside an entity are in its sight.
  @Entity struct Book: Hashable {
    @ID var shelf: Shelf
    @ID var place: Int
    var number: Number
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var title: String!
    var others: [Note]
  }

  @Entity(
    source: .view(
      definition: """
        SELECT shelf,
          count(*) AS books
        FROM book GROUP BY shelf
        """))
  struct Filling {
    @ID var shelf: Shelf
    var books: Int
  }

  struct Note: JSONAttributeValue, Hashable {
    var text: String
  }
}

enum Names {
  @Entity fileprivate struct Field {
    @ID var key: Int64?
    var path: String
    var row: Int, `self`: Int
    var `default`: Int?
    fileprivate struct Attribute {}
  }

  static var field: EntityDescription { Field.entityDescription }

  static func roundTrip(_ row: [StoredValue]) throws -> [StoredValue] {
    var field = try Field(stored: row)
    field.setGeneratedKey(7)
    return try field.stored
  }

  static var fieldTerms: [Criteria.Term] {
    let fields = Field.Fields(path: FieldPath("library"))
    return [fields.key.term, fields.path.term, fields.row.term, fields.`self`.term, fields.default.term]
  }
}
