import DAOKit
import Foundation

/// One attribute of any type.
struct Box<Value: AttributeValue>: Entity {
  var id: Int64?
  var value: Value

  static var entityDescription: EntityDescription { description(Value.attributeType) }

  static func description(_ type: AttributeType) -> EntityDescription {
    EntityDescription(
      "box", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", type, optional: Value.isOptional)])
  }

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var value: Field<Value> { path.field("value") }
  }

  init(_ value: Value) { self.value = value }
  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    value = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(value)
  }
}

enum Kind: String, AttributeValue { case land, sea }
enum Level: Int, AttributeValue { case low = 1, high = 9 }

struct Address: JSONAttributeValue, Hashable {
  var street: String
  var number: Int?
}

struct Celsius: ConvertedAttributeValue, Hashable {
  struct TooCold: Error {}
  var degrees: Double
  init(_ degrees: Double) { self.degrees = degrees }
  init(stored: Double) throws {
    guard stored >= 0 else { throw TooCold() }
    degrees = stored - 273.15
  }
  var stored: Double { degrees + 273.15 }
}
