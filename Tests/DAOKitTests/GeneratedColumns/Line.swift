import DAOKit

/// A line of an order, whose total and label the store computes: written by hand, with a generated attribute in the middle and one at the
/// end.
struct Line: Entity, Hashable {
  var id: Int64?
  var total: Int?
  var name: String
  var price: Int
  var quantity: Int?
  var label: String

  static let entityDescription = EntityDescription(
    "line", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("total", .integer, optional: true, generated: true), Attribute("name", .text),
      Attribute("price", .integer), Attribute("quantity", .integer, optional: true), Attribute("label", .text, generated: true),
    ],
    indexes: [Index(on: "name", unique: true)])

  /// How the store computes them.
  enum Kind: String, CaseIterable, CustomStringConvertible {
    case virtual = "VIRTUAL"
    case stored = "STORED"

    var description: String { rawValue }
  }

  static func table(_ kind: Kind, options: String = "") -> String {
    """
    CREATE TABLE line (
      id INTEGER PRIMARY KEY, total INTEGER AS (price * quantity) \(kind), name TEXT NOT NULL UNIQUE, price INTEGER NOT NULL,
      quantity INTEGER, label TEXT NOT NULL GENERATED ALWAYS AS (name || ' ' || ifnull(quantity, '-')) \(kind)) \(options)
    """
  }

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var total: Field<Int?> { path.field("total") }
    var name: Field<String> { path.field("name") }
    var price: Field<Int> { path.field("price") }
    var quantity: Field<Int?> { path.field("quantity") }
    var label: Field<String> { path.field("label") }
  }

  init(id: Int64? = nil, total: Int? = -1, _ name: String, _ price: Int, _ quantity: Int?, label: String = "none") {
    (self.id, self.total, self.name, self.price, self.quantity, self.label) = (id, total, name, price, quantity, label)
  }

  /// The entity as the store computes it.
  var computed: Line {
    var line = self
    line.total = quantity.map { $0 * price }
    line.label = "\(name) \(quantity.map { "\($0)" } ?? "-")"
    return line
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    total = try row.next()
    name = try row.next()
    price = try row.next()
    quantity = try row.next()
    label = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(total)
    try row.write(name)
    try row.write(price)
    try row.write(quantity)
    try row.write(label)
  }
}
