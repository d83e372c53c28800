import DAOKit

/// What a JSON attribute holds: a `Codable` value.
struct Details: JSONAttributeValue, Hashable {
  var city: String?
  var weight: Double?
  var sizes: [Int]?
  var isFragile: Bool?
}

/// An entity with a JSON attribute, and a relationship to another.
struct Parcel: Entity, Hashable {
  var id: Int64?
  var details: Details?
  var label: String?
  var depotID: Int64?

  static let entityDescription: EntityDescription = EntityDescription(
    "parcel", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("details", .json, column: "the \"details\"", optional: true),
      Attribute("label", .text, optional: true), Attribute("depotID", .integer, optional: true),
    ],
    relationships: [.toOne("depot", Depot.entityDescription, by: "depotID", onDelete: .nullify)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var details: Field<Details?> { path.field("details") }
    var label: Field<String?> { path.field("label") }
    var depotID: Field<Int64?> { path.field("depotID") }
    var depot: Depot.Fields { Depot.Fields(path: path.appending("depot")) }
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(_ details: Details?, in depotID: Int64? = nil) { (self.details, self.depotID) = (details, depotID) }

  init(row: inout RowReader) throws {
    (id, details, label, depotID) = (try row.next(), try row.next(), try row.next(), try row.next())
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(details)
    try row.write(label)
    try row.write(depotID)
  }

  static let samples = [
    Parcel(Details(city: "Berlin", weight: 2.5, sizes: [3, 1], isFragile: true), in: 1),
    Parcel(Details(city: "berlin", weight: 2, sizes: [1, 1]), in: 1),
    Parcel(Details(city: "Köln", sizes: [2, 7], isFragile: false), in: 2),
    Parcel(Details(weight: 0.5, sizes: [])), Parcel(nil, in: 2), Parcel(Details(city: "Berlin", weight: 2.5, sizes: [3])),
  ]
}

struct Depot: Entity, Hashable {
  var id: Int64?
  var details: Details

  static let entityDescription: EntityDescription = EntityDescription(
    "depot", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("details", .json)],
    relationships: [.toMany("parcels", Parcel.entityDescription, by: "depotID")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var details: Field<Details> { path.field("details") }
    var parcels: RelatedField<Parcel> { path.related("parcels") }
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(_ details: Details) { self.details = details }

  init(row: inout RowReader) throws { (id, details) = (try row.next(), try row.next()) }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(details)
  }
}

extension TestStore {
  /// A store with the sample parcels in two depots.
  static func parcels() throws -> TestStore {
    let store = try TestStore([Parcel.entityDescription, Depot.entityDescription])
    try fill(store.factory)
    store.trace.clear()
    return store
  }

  /// The same in memory.
  static func parcelsInMemory() throws -> DAOFactory {
    let factory = DAOFactory(over: try EvaluatorStore([Parcel.entityDescription, Depot.entityDescription]))
    try fill(factory)
    return factory
  }

  private static func fill(_ factory: DAOFactory) throws {
    try factory.runtimeDAO(Depot.self).insert([Depot(Details(city: "Hamburg", sizes: [5])), Depot(Details(isFragile: true))])
    try factory.runtimeDAO(Parcel.self).insert(Parcel.samples)
  }
}
