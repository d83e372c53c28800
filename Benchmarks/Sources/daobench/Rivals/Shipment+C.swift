// Shipments through SQLite's C functions.
extension Shipment {
  static let columns = """
    id, customer, employee, carrier, street, city, region, country, ordered, required, shipped, weight, freight, parcels
    """

  /// The row on which a statement for ``columns`` stands.
  @inline(__always)
  init(_ row: CStatement) {
    self.init(
      id: row.integer(0), customer: row.text(1), employee: row.optionalText(2), carrier: row.text(3), street: row.optionalText(4),
      city: row.text(5), region: row.optionalText(6), country: row.text(7), ordered: row.date(8), required: row.optionalDate(9),
      shipped: row.optionalDate(10), weight: row.real(11), freight: row.isNull(12) ? nil : row.real(12), parcels: Int(row.integer(13)))
  }
}

extension CStatement {
  /// Every shipment that the statement yields.
  func shipments() throws -> [Shipment] {
    var shipments: [Shipment] = []
    while try step() { shipments.append(Shipment(self)) }
    reset()
    return shipments
  }
}

extension CDatabase {
  func insert(_ shipments: [Shipment]) throws {
    let places = [String](repeating: "?", count: 14).joined(separator: ", ")
    let statement = try CStatement(self, "INSERT INTO shipment (\(Shipment.columns)) VALUES (\(places))")
    for shipment in shipments {
      statement.bind(shipment.id, 1)
      statement.bind(shipment.customer, 2)
      statement.bind(shipment.employee, 3)
      statement.bind(shipment.carrier, 4)
      statement.bind(shipment.street, 5)
      statement.bind(shipment.city, 6)
      statement.bind(shipment.region, 7)
      statement.bind(shipment.country, 8)
      statement.bind(shipment.ordered, 9)
      statement.bind(shipment.required, 10)
      statement.bind(shipment.shipped, 11)
      statement.bind(shipment.weight, 12)
      statement.bind(shipment.freight, 13)
      statement.bind(Int64(shipment.parcels), 14)
      try statement.run()
    }
  }
}
