import DAOKit
import Foundation

/// A row of a database made elsewhere, with dates as SQLite's own functions write them, and a price that SQLite keeps as a double.
struct Sale {
  var id: Int64?
  var customer: String
  var sold: Date
  var shipped: Date?
  var price: Decimal
}

extension Sale: Entity {
  static let entityDescription = EntityDescription(
    "sale", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("customer", .text), Attribute("sold", .date(.text("YYYY-MM-DD HH:MM:SS"))),
      Attribute("shipped", .date(.text("YYYY-MM-DD HH:MM:SS")), optional: true),
      Attribute("price", .decimal(.numeric(2))),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var customer: Field<String> { path.field("customer") }
    var sold: Field<Date> { path.field("sold") }
    var shipped: Field<Date?> { path.field("shipped") }
    var price: Field<Decimal> { path.field("price") }
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    try self.init(id: row.next(), customer: row.next(), sold: row.next(), shipped: row.next(), price: row.next())
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(customer)
    try row.write(sold)
    try row.write(shipped)
    try row.write(price)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }
}

extension Sale {
  /// The table as another program declares it.
  static let table = """
    CREATE TABLE sale (
      id INTEGER PRIMARY KEY, customer VARCHAR(60) NOT NULL, sold DATETIME NOT NULL, shipped DATETIME, price NUMERIC(10,2) NOT NULL)
    """

  /// Sales with keys from 1 on, the same in each run.
  static func samples(_ count: Int) -> [Sale] {
    var random = Random(25)
    func date() -> Date { Date(timeIntervalSince1970: (Double(random.milliseconds()) / 1000).rounded()) }
    return (1...count).map { id in
      Sale(
        id: Int64(id), customer: "Customer number \(random.below(5000))", sold: date(), shipped: id % 5 == 0 ? nil : date(),
        price: Decimal(sign: .plus, exponent: -2, significand: Decimal(random.below(100_000))))
    }
  }
}

/// One hash of many sales.
func digest(_ sales: some Sequence<Sale>) -> Int {
  var hasher = Hasher()
  for sale in sales {
    hasher.combine(sale.id)
    hasher.combine(sale.customer)
    hasher.combine([sale.sold, sale.shipped])
    hasher.combine(sale.price)
  }
  return hasher.finalize()
}
