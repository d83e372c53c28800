import DAOMacros
import Foundation

// Types of one's own, one of each kind.

enum Kind: String, AttributeValue, EntityKey, CaseIterable { case land, sea }

struct Address: JSONAttributeValue, Hashable {
  var street: String
  var number: Int?
}

struct Celsius: ConvertedAttributeValue, Hashable {
  var degrees: Double

  init(stored: Double) { degrees = stored }
  var stored: Double { degrees }
}

/// Every attribute type.
@Entity("required")
struct Required {
  @ID var id: Int64?
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
  @Attribute(.uuidText) var uuidText: UUID
  @Attribute(.uuidSpelled([.capitals, .inBraces])) var uuidSpelled: UUID
  @Attribute(.boolText("Y/N")) var boolText: Bool
  @Attribute(.text(.nocase)) var nocase: String
  var url: URL
  var isoDate: Date
  @Attribute(.unixSeconds) var secondsDate: Date
  @Attribute(.unixMilliseconds) var millisecondsDate: Date
  var decimal: Decimal
  @Attribute(.scaled(2)) var scaledDecimal: Decimal
  @Attribute(.numeric(2)) var numericDecimal: Decimal
  @Attribute(.real(3)) var realDecimal: Decimal
  var kind: Kind
  var address: Address
  var celsius: Celsius
  var list: [String]
  var map: [String: Int]
}

/// The optional of each.
@Entity("optionals")
struct Optionals {
  @ID var id: Int64?
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
  @Attribute(.uuidText) var uuidText: UUID?
  @Attribute(.uuidSpelled([.capitals, .inBraces])) var uuidSpelled: UUID?
  @Attribute(.boolText("Y/N")) var boolText: Bool?
  @Attribute(.text(.nocase)) var nocase: String?
  var url: URL?
  var isoDate: Date?
  @Attribute(.unixSeconds) var secondsDate: Date?
  @Attribute(.unixMilliseconds) var millisecondsDate: Date?
  var decimal: Decimal?
  @Attribute(.scaled(2)) var scaledDecimal: Decimal?
  @Attribute(.numeric(2)) var numericDecimal: Decimal?
  @Attribute(.real(3)) var realDecimal: Decimal?
  var kind: Kind?
  var address: Address?
  var celsius: Celsius?
  var list: [String]?
  var map: [String: Int]?
}
