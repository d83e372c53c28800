// The benchmarks' entities, as a person writes them. No target compiles this file, since the macro would bring swift-syntax with it: what
// the macro writes is committed as Sources/daobench/Entities/Entities+Expanded.swift, and CommittedExpansionTests keeps the two together.
import DAOMacros
import Foundation

/// A narrow row, one value of each common type.
@Entity
struct Reading {
  @ID var id: Int64?
  var sensor: String
  var note: String?
  var value: Double
  var isValid: Bool
  @Attribute(.unixMilliseconds) var takenAt: Date?
}

/// A wide row, fourteen columns, many of them optional.
@Entity
struct Shipment {
  @ID var id: Int64?
  var customer: String
  var employee: String?
  var carrier: String
  var street: String?
  var city: String
  var region: String?
  var country: String
  @Attribute(.unixMilliseconds) var ordered: Date
  @Attribute(.unixMilliseconds) var required: Date?
  @Attribute(.unixMilliseconds) var shipped: Date?
  var weight: Double
  var freight: Double?
  var parcels: Int
}

/// One of many, with ten probes.
@Entity
struct Station {
  @ID var id: Int64?
  var name: String
  @ToMany(\Probe.station) var probes: Many<Probe> = Many()
}

/// One of ten of a station.
@Entity
struct Probe {
  @ID var id: Int64?
  @ToOne(onDelete: .cascade) var station: Reference<Station>
  var level: Int
  var note: String
}
