import DAOKit
import Foundation
import TestCases

/// Values in stored form that attributes of a type can have, the same for the same seed.
struct RandomRows {
  private var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  /// A row for these attributes. What an optional one holds is null now and then.
  mutating func row(_ description: EntityDescription) throws -> [StoredValue] {
    try description.attributes.map { attribute in
      if attribute.isOptional, next() % 3 == 0 { return .null }
      return try value(attribute)
    }
  }

  private mutating func value(_ attribute: Attribute) throws -> StoredValue {
    switch attribute.name {
    case "url": return .text("https://example.org/\(next() % 1000)?q=%C3%A4")
    case "kind": return .text(next() % 2 == 0 ? "land" : "sea")
    case "address": return .text(next() % 2 == 0 ? #"{"number":7,"street":"Hlavná"}"# : #"{"street":"a/b"}"#)
    case "list": return .text(next() % 2 == 0 ? "[]" : #"["a","ä"]"#)
    case "map": return .text(next() % 2 == 0 ? "{}" : #"{"ä":-2}"#)
    case "float": return .real(Double(Float(Int(next() % 2000)) / 16 - 50))
    default: return try attribute.type.stored(scalar(attribute))
    }
  }

  private mutating func scalar(_ attribute: Attribute) -> Scalar {
    let bits = next()
    return switch attribute.type {
    case .integer: .integer(integer(attribute.name, bits))
    case .real: .real(Double(Int64(truncatingIfNeeded: bits)) / 4096)
    case .bool, .boolText: .bool(bits % 2 == 0)
    case .text, .storedText, .json, .any: .text(["", "a", "Ürümqi", "it's", "\u{65}\u{301}"][Int(bits % 5)])
    case .data: .data(Data(repeating: UInt8(truncatingIfNeeded: bits), count: Int(bits % 5)))
    case .uuid: .uuid(UUID(uuid: withUnsafeBytes(of: (bits, next())) { $0.loadUnaligned(as: uuid_t.self) }))
    case .date(.unixSeconds): .date(Date(timeIntervalSince1970: Double(Int64(bits % 4_000_000_000)) - 1_000_000_000.5))
    case .date: .date(Date(timeIntervalSince1970: Double(Int64(bits % 4_000_000_000_000)) / 1000))
    case .decimal: .decimal(Decimal(Int64(truncatingIfNeeded: bits) >> 20) / 100)
    }
  }

  /// An integer of the width that the attribute is named after.
  private func integer(_ name: String, _ bits: UInt64) -> Int64 {
    switch name {
    case "int8": Int64(Int8(truncatingIfNeeded: bits))
    case "int16": Int64(Int16(truncatingIfNeeded: bits))
    case "int32": Int64(Int32(truncatingIfNeeded: bits))
    case "uint8": Int64(UInt8(truncatingIfNeeded: bits))
    case "uint16": Int64(UInt16(truncatingIfNeeded: bits))
    case "uint32": Int64(UInt32(truncatingIfNeeded: bits))
    case "uint", "uint64": Int64(bits >> 1)
    default: Int64(truncatingIfNeeded: bits)
    }
  }

  private mutating func next() -> UInt64 { random.next() }
}
