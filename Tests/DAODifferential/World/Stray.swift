import DAOKit
import Foundation
import TestCases

/// A stored value as another program may have written it: of a form that the library does not write itself, or that it can't read.
package struct Stray: Sendable {
  /// The table's place.
  let table: Int
  let key: [Scalar]
  let attribute: String
  let value: StoredValue
}

extension Stray {
  /// Strays for rows that are there, in attributes on which no rule of the schema depends.
  static func make(_ schema: Schema, _ rows: [[[Scalar]]], _ random: inout RandomSource) -> [Stray] {
    let hasUnreadable = random.once(in: 5)
    return schema.tables.indices.flatMap { place -> [Stray] in
      let table = schema.tables[place]
      let places = table.key.attributes.compactMap { table.place(of: $0) }
      return table.attributes.filter { schema.isFree($0, of: place) }.flatMap { attribute -> [Stray] in
        let pool = readable(attribute.type) + (hasUnreadable && random.once(in: 4) ? unreadable(attribute.type) : [])
        if pool.isEmpty { return [] }
        return rows[place].compactMap { row in
          guard random.once(in: 3) else { return nil }
          return Stray(table: place, key: places.map { row[$0] }, attribute: attribute.name, value: random.pick(pool))
        }
      }
    }
  }

  /// What is read as a value, and written otherwise.
  static func readable(_ type: AttributeType) -> [StoredValue] {
    switch type {
    case .date(.unixSeconds):
      [0.1, -0.001, 315_532_800.3, 0.30000000000000004, 0.10000002384185791, 1e-9, -2_000_000_000.7, 489_153_599.9].map { .real($0) }
    case .date(.julianDays): [2_440_587.5, 2_440_587.500_000_000_5, 2_461_365.763_194_444_6, 1e-3, 5_373_484.499].map { .real($0) }
    case .date(.unixMicroseconds): [253_402_300_799_999_999, 253_402_300_799_999_960, -62_135_596_799_999_999].map { .integer($0) }
    case .date(.unixNanoseconds): [1, 99, 1_800_000_000_123_456_789, 1_800_000_000_123_456_788, .max, .min].map { .integer($0) }
    case .date(.secondsSince2001): [0.1, 822_000_000.123_456_789, -978_307_200.3].map { .real($0) }
    case .date(.text(let pattern)) where pattern.pattern == "YYYY-MM-DD HH:MM:SS+HH:MM":
      ["2027-01-15 09:00:00+01:00", "2027-01-15 08:00:00-00:00", "1970-01-01 23:59:59+23:59", "1970-01-01 00:00:00-01:00"].map { .text($0) }
    case .date(.text(let pattern)) where pattern.pattern == "YYYY-MM-DDTHH:MM:SS.FFFFFFFZ":
      ["9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.99996Z", "2027-01-15T08:00:00.1234567Z"].map { .text($0) }
    case .boolText("true/false"): ["TRUE", "True", "FALSE", "fAlse"].map { .text($0) }
    case .boolText("Y/N"): ["y", "n", "Y"].map { .text($0) }
    case .decimal(.text): ["1.50", "+01.5", ".5", "0.10"].map { .text($0) }
    case .decimal(.numeric):
      (doubles + [4_503_599_627_370_497.5, 1e20]).map { .real($0) } + [.integer(9_007_199_254_740_993), .integer(.min)]
    case .decimal(.real): doubles.map { .real($0) }
    default: []
    }
  }

  private static let doubles = [
    1.989_999_999_999_999_8, 1.990_000_000_000_000_2, 0.125, 0.135, 2.675, -0.004, -0.005, 0.005, 1e-300, 0.300_000_000_000_000_04, 1.5,
    -2.5,
  ]

  /// What a column of the type keeps as it is, and its attribute can't be read from.
  static func unreadable(_ type: AttributeType) -> [StoredValue] {
    let bytes = StoredValue.blob(Data("abc".utf8))
    return switch type {
    case .integer, .decimal(.scaled): [.text("abc"), .real(1.5), bytes]
    case .real: [.text("abc"), bytes]
    case .bool: [.integer(2), .text("true"), bytes]
    case .boolText: [.text("maybe"), .text(""), .text("y\u{0}"), .text("N\u{0}x"), bytes]
    case .date(.unixSeconds): [.text("soon"), bytes]
    case .date(.unixMilliseconds), .date(.unixMicroseconds), .date(.unixNanoseconds): [.text("soon"), .real(1.5), bytes]
    case .date(.secondsSince2001): [.text("soon"), bytes]
    case .date(.julianDays): [.text("soon"), bytes, .real(-1), .integer(.max)]
    case .date(.unixSecondsText), .date(.unixMillisecondsText): [.text("07"), .text("+7"), .text("soon"), .text("1.5"), bytes]
    case .date(.text):
      ["0000-00-00", "2026-02-29 12:00:00", "2026-11-21 24:00:00", "2026-11-21T06:19:60Z", "2026-11-21 06:19:00+25:00", "soon"].map {
        .text($0)
      } + [bytes]
    case .storedText(.padded): [.text("ab"), .text("0123456789abc"), .text(""), bytes]
    case .storedText(.blob): [.text("abc"), .blob(Data([0x61, 0xFF])), .blob(Data([0xC3]))]
    case .text, .storedText, .json: [bytes]
    case .decimal(.numeric), .decimal(.real): [.text("abc"), .text("1,5"), bytes, .real(.infinity), .real(1e300)]
    case .uuid(.spelled): [.text("abc"), .text("12345678-9abc-DEF0-1234-56789ABCDEF0"), .text(String(repeating: "0", count: 35)), bytes]
    case .date(.iso8601), .decimal(.text), .uuid(.text): [.text("abc"), bytes]
    case .data, .uuid(.blob): [.integer(7), .text("abc")]
    case .any: []
    }
  }
}

extension Schema {
  /// Whether an attribute is part of no key, relationship, unique index or search.
  fileprivate func isFree(_ attribute: Attribute, of place: Int) -> Bool {
    let table = tables[place]
    return !attribute.isSearchable && !table.key.attributes.contains(attribute.name)
      && !table.indexes.contains { $0.isUnique && $0.attributes.contains(attribute.name) } && !isLinked(attribute.name, of: place)
  }
}

extension Stores {
  /// Puts strays into both stores, past all that they check.
  func put(_ strays: [Stray], _ schema: Schema) throws {
    for stray in strays {
      let (table, entity) = (schema.tables[stray.table], catalog.entities[stray.table])
      // What shrinking left out is gone.
      guard let attribute = entity[stray.attribute] else { continue }
      let column = attribute.isGenerated ? attribute.kept.column : attribute.column
      var sql: SQL = "UPDATE \(identifier: table.table) SET \(identifier: column) = \(try AttributeType.any.scalar(stray.value))"
      for (number, (name, value)) in zip(table.key.attributes, stray.key).enumerated() {
        guard let key = entity[name] else { continue }
        sql = "\(sql) \(SQL(stringLiteral: number == 0 ? "WHERE" : "AND")) \(identifier: key.column) = \(value, as: key.type)"
      }
      _ = try sqlite.execute(sql)
      try evaluator.setStored(stray.value, of: stray.attribute, key: stray.key, in: entity)
    }
  }
}
