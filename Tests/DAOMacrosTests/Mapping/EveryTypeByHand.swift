import DAOKit
import Foundation

/// `Required` without the macro.
struct RequiredByHand: Entity {
  var id: Int64?
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var double: Double
  var float: Float
  var bool: Bool
  var string: String
  var data: Data
  var uuid: UUID
  var uuidText: UUID
  var uuidSpelled: UUID
  var boolText: Bool
  var nocase: String
  var url: URL
  var isoDate: Date
  var secondsDate: Date
  var millisecondsDate: Date
  var decimal: Decimal
  var scaledDecimal: Decimal
  var numericDecimal: Decimal
  var realDecimal: Decimal
  var kind: Kind
  var address: Address
  var celsius: Celsius
  var list: [String]
  var map: [String: Int]

  static let entityDescription = EntityDescription(
    "required", key: .generated("id"),
    attributes: [
      Attribute("id", .integer),
      Attribute("int", .integer),
      Attribute("int8", .integer),
      Attribute("int16", .integer),
      Attribute("int32", .integer),
      Attribute("int64", .integer),
      Attribute("uint", .integer),
      Attribute("uint8", .integer),
      Attribute("uint16", .integer),
      Attribute("uint32", .integer),
      Attribute("uint64", .integer),
      Attribute("double", .real),
      Attribute("float", .real),
      Attribute("bool", .bool),
      Attribute("string", .text),
      Attribute("data", .data),
      Attribute("uuid", .uuid(.blob)),
      Attribute("uuidText", .uuid(.text)),
      Attribute("uuidSpelled", .uuid(.spelled([.capitals, .inBraces]))),
      Attribute("boolText", .boolText("Y/N")),
      Attribute("nocase", .text(.nocase)),
      Attribute("url", .text),
      Attribute("isoDate", .date(.iso8601)),
      Attribute("secondsDate", .date(.unixSeconds)),
      Attribute("millisecondsDate", .date(.unixMilliseconds)),
      Attribute("decimal", .decimal(.text)),
      Attribute("scaledDecimal", .decimal(.scaled(2))),
      Attribute("numericDecimal", .decimal(.numeric(2))),
      Attribute("realDecimal", .decimal(.real(3))),
      Attribute("kind", .text),
      Attribute("address", .json),
      Attribute("celsius", .real),
      Attribute("list", .json),
      Attribute("map", .json),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    int = try row.next()
    int8 = try row.next()
    int16 = try row.next()
    int32 = try row.next()
    int64 = try row.next()
    uint = try row.next()
    uint8 = try row.next()
    uint16 = try row.next()
    uint32 = try row.next()
    uint64 = try row.next()
    double = try row.next()
    float = try row.next()
    bool = try row.next()
    string = try row.next()
    data = try row.next()
    uuid = try row.next()
    uuidText = try row.next()
    uuidSpelled = try row.next()
    boolText = try row.next()
    nocase = try row.next()
    url = try row.next()
    isoDate = try row.next()
    secondsDate = try row.next()
    millisecondsDate = try row.next()
    decimal = try row.next()
    scaledDecimal = try row.next()
    numericDecimal = try row.next()
    realDecimal = try row.next()
    kind = try row.next()
    address = try row.next()
    celsius = try row.next()
    list = try row.next()
    map = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(int)
    try row.write(int8)
    try row.write(int16)
    try row.write(int32)
    try row.write(int64)
    try row.write(uint)
    try row.write(uint8)
    try row.write(uint16)
    try row.write(uint32)
    try row.write(uint64)
    try row.write(double)
    try row.write(float)
    try row.write(bool)
    try row.write(string)
    try row.write(data)
    try row.write(uuid)
    try row.write(uuidText)
    try row.write(uuidSpelled)
    try row.write(boolText)
    try row.write(nocase)
    try row.write(url)
    try row.write(isoDate)
    try row.write(secondsDate)
    try row.write(millisecondsDate)
    try row.write(decimal)
    try row.write(scaledDecimal)
    try row.write(numericDecimal)
    try row.write(realDecimal)
    try row.write(kind)
    try row.write(address)
    try row.write(celsius)
    try row.write(list)
    try row.write(map)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }
}

/// `Optionals` without the macro.
struct OptionalsByHand: Entity {
  var id: Int64?
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var double: Double?
  var float: Float?
  var bool: Bool?
  var string: String?
  var data: Data?
  var uuid: UUID?
  var uuidText: UUID?
  var uuidSpelled: UUID?
  var boolText: Bool?
  var nocase: String?
  var url: URL?
  var isoDate: Date?
  var secondsDate: Date?
  var millisecondsDate: Date?
  var decimal: Decimal?
  var scaledDecimal: Decimal?
  var numericDecimal: Decimal?
  var realDecimal: Decimal?
  var kind: Kind?
  var address: Address?
  var celsius: Celsius?
  var list: [String]?
  var map: [String: Int]?

  static let entityDescription = EntityDescription(
    "optionals", key: .generated("id"),
    attributes: [
      Attribute("id", .integer),
      Attribute("int", .integer, optional: true),
      Attribute("int8", .integer, optional: true),
      Attribute("int16", .integer, optional: true),
      Attribute("int32", .integer, optional: true),
      Attribute("int64", .integer, optional: true),
      Attribute("uint", .integer, optional: true),
      Attribute("uint8", .integer, optional: true),
      Attribute("uint16", .integer, optional: true),
      Attribute("uint32", .integer, optional: true),
      Attribute("uint64", .integer, optional: true),
      Attribute("double", .real, optional: true),
      Attribute("float", .real, optional: true),
      Attribute("bool", .bool, optional: true),
      Attribute("string", .text, optional: true),
      Attribute("data", .data, optional: true),
      Attribute("uuid", .uuid(.blob), optional: true),
      Attribute("uuidText", .uuid(.text), optional: true),
      Attribute("uuidSpelled", .uuid(.spelled([.capitals, .inBraces])), optional: true),
      Attribute("boolText", .boolText("Y/N"), optional: true),
      Attribute("nocase", .text(.nocase), optional: true),
      Attribute("url", .text, optional: true),
      Attribute("isoDate", .date(.iso8601), optional: true),
      Attribute("secondsDate", .date(.unixSeconds), optional: true),
      Attribute("millisecondsDate", .date(.unixMilliseconds), optional: true),
      Attribute("decimal", .decimal(.text), optional: true),
      Attribute("scaledDecimal", .decimal(.scaled(2)), optional: true),
      Attribute("numericDecimal", .decimal(.numeric(2)), optional: true),
      Attribute("realDecimal", .decimal(.real(3)), optional: true),
      Attribute("kind", .text, optional: true),
      Attribute("address", .json, optional: true),
      Attribute("celsius", .real, optional: true),
      Attribute("list", .json, optional: true),
      Attribute("map", .json, optional: true),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    int = try row.next()
    int8 = try row.next()
    int16 = try row.next()
    int32 = try row.next()
    int64 = try row.next()
    uint = try row.next()
    uint8 = try row.next()
    uint16 = try row.next()
    uint32 = try row.next()
    uint64 = try row.next()
    double = try row.next()
    float = try row.next()
    bool = try row.next()
    string = try row.next()
    data = try row.next()
    uuid = try row.next()
    uuidText = try row.next()
    uuidSpelled = try row.next()
    boolText = try row.next()
    nocase = try row.next()
    url = try row.next()
    isoDate = try row.next()
    secondsDate = try row.next()
    millisecondsDate = try row.next()
    decimal = try row.next()
    scaledDecimal = try row.next()
    numericDecimal = try row.next()
    realDecimal = try row.next()
    kind = try row.next()
    address = try row.next()
    celsius = try row.next()
    list = try row.next()
    map = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(int)
    try row.write(int8)
    try row.write(int16)
    try row.write(int32)
    try row.write(int64)
    try row.write(uint)
    try row.write(uint8)
    try row.write(uint16)
    try row.write(uint32)
    try row.write(uint64)
    try row.write(double)
    try row.write(float)
    try row.write(bool)
    try row.write(string)
    try row.write(data)
    try row.write(uuid)
    try row.write(uuidText)
    try row.write(uuidSpelled)
    try row.write(boolText)
    try row.write(nocase)
    try row.write(url)
    try row.write(isoDate)
    try row.write(secondsDate)
    try row.write(millisecondsDate)
    try row.write(decimal)
    try row.write(scaledDecimal)
    try row.write(numericDecimal)
    try row.write(realDecimal)
    try row.write(kind)
    try row.write(address)
    try row.write(celsius)
    try row.write(list)
    try row.write(map)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }
}
