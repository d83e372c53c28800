import Foundation
import GRDB

/// A shipment with columns that are read by position, and dates that are converted by hand.
struct GRDBShipment: FetchableRecord, TableRecord {
  static let databaseTableName = "shipment"

  static var databaseSelection: [any SQLSelectable] {
    [
      Column("id"), Column("customer"), Column("employee"), Column("carrier"), Column("street"), Column("city"), Column("region"),
      Column("country"), Column("ordered"), Column("required"), Column("shipped"), Column("weight"), Column("freight"), Column("parcels"),
    ]
  }

  let shipment: Shipment

  init(row: Row) {
    func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
    shipment = Shipment(
      id: row[0], customer: row[1], employee: row[2], carrier: row[3], street: row[4], city: row[5], region: row[6], country: row[7],
      ordered: date(row[8]), required: (row[9] as Int64?).map(date), shipped: (row[10] as Int64?).map(date), weight: row[11],
      freight: row[12], parcels: row[13])
  }
}

/// A shipment as a `Codable` record.
struct CodableShipment: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "shipment"

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy { .millisecondsSince1970 }

  let id: Int64?
  let customer: String
  let employee: String?
  let carrier: String
  let street: String?
  let city: String
  let region: String?
  let country: String
  let ordered: Date
  let required: Date?
  let shipped: Date?
  let weight: Double
  let freight: Double?
  let parcels: Int

  var shipment: Shipment {
    Shipment(
      id: id, customer: customer, employee: employee, carrier: carrier, street: street, city: city, region: region, country: country,
      ordered: ordered, required: required, shipped: shipped, weight: weight, freight: freight, parcels: parcels)
  }
}
