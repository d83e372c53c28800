import DAOMacros
import Foundation

// The entities of the shipped database; see Fixtures/README.md.

@Entity
struct Country {
  @ID var code: String
  var name: String
}

@Entity
struct Zone {
  @ID var id: Int64?
  @Attribute(.unique, .identity) var name: String  // by which notes in files name their zone
  var latitude: Double
  var longitude: Double
  var comment: String?
  var standardOffset: Int  // seconds east of UTC
  @ManyToMany(by: \ZoneCountry.zoneID, to: \ZoneCountry.countryCode) var countries: Many<Country> = Many()
}

/// A zone that overlaps a country: the key is both.
@Entity(table: "zone_country")
struct ZoneCountry {
  @ID @Attribute(.references("zone", "id", onDelete: .cascade)) var zoneID: Int64
  @ID @Attribute(.references("country", "code", onDelete: .cascade), .indexed) var countryCode: String
}

/// A change of a zone's clocks.
@Entity
struct Transition {
  @ID @Attribute(.references("zone", "id", onDelete: .cascade)) var zoneID: Int64
  @ID @Attribute(.unixSeconds) var instant: Date
  var offsetBefore: Int
  var offsetAfter: Int
  var abbreviation: String
  var isDaylight: Bool
}

/// A note that the user writes.
@Entity
struct Note {
  @ID var id: UUID
  @ToOne(onDelete: .cascade, mapping: RelationshipMapping(targets: .link)) @Attribute(.column("zoneID")) var zone: Reference<Zone>
  var text: String
  @Attribute(.unixMilliseconds) var created: Date
}

/// Zones beside the names of their countries: a view, so it can only be read.
@Entity(table: "country_zone", source: .view(definition: nil))
struct CountryZone {
  @ID var zoneID: Int64
  @ID var countryCode: String
  var country: String
  var zone: String
  var standardOffset: Int
}
