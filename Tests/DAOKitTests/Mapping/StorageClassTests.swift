import DAOKit
import Foundation
import Testing

/// What any tool may have written, read as any type.
@Suite("Every storage class as every type")
struct StorageClassTests {
  private static let literals = [
    "NULL", "0", "1", "9223372036854775807", "-9223372036854775808", "0.5", "1e400", "-1e400", "''", "'1'", "'a' || char(0)",
    "CAST(x'61ff' AS TEXT)", "x''", "x'00112233445566778899aabbccddeeff'", "zeroblob(16)", "'00112233-4455-6677-8899-aabbccddeeff'",
    "'2026-11-21T06:19:00.000Z'", "'{}'",
  ]

  /// Asserts which values can be read, as what, and that all others are errors; from a statement, by key, and from a row in memory.
  private func reads<Value: AttributeValue & Equatable>(
    _ expected: [String: Value], as type: AttributeType = Value.attributeType, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let target = EntityTarget(Box<Value>.description(type))
    let store = try TestStore([], sql: "CREATE TABLE box (id INTEGER PRIMARY KEY, value)")
    for (index, literal) in Self.literals.enumerated() {
      let id = Int64(index + 1)
      _ = try store.store.execute(SQL(stringLiteral: "INSERT INTO box VALUES (\(id), \(literal))"))
      var criteria = Criteria()
      criteria.filter = .compare(.field(FieldPath("id")), .equal, Criteria.Term(id))
      let readings: [() throws -> Box<Value>?] = [
        { try store.store.find(Box<Value>.self, in: target, criteria).first },
        { try store.store.find(Box<Value>.self, in: target, key: id) },
        { try store.store.query("SELECT value, id FROM box WHERE id = \(id)", Box<Value>.self, of: target.entity).first },
      ]
      for (number, reading) in readings.enumerated() {
        do {
          let found = try reading()
          #expect(found?.value == expected[literal], "\(literal), \(number)", sourceLocation: sourceLocation)
        } catch DAOError.undecodable("box", "value", 0, _) {
          #expect(expected[literal] == nil, "\(literal), \(number)", sourceLocation: sourceLocation)
        }
      }
    }
  }

  @Test func `integers and truth values`() throws {
    try reads(["0": 0, "1": 1, "9223372036854775807": Int64.max, "-9223372036854775808": Int64.min])
    try reads(["0": 0, "1": 1, "9223372036854775807": UInt64(Int64.max)])
    try reads(["0": 0, "1": 1 as Int8])
    try reads(["0": false, "1": true])
  }

  @Test func `doubles and floats`() throws {
    let (largest, smallest) = (9_223_372_036_854_775_808.0, -9_223_372_036_854_775_808.0)
    try reads(
      [
        "0": 0, "1": 1, "0.5": 0.5, "1e400": Double.infinity, "-1e400": -.infinity, "9223372036854775807": largest,
        "-9223372036854775808": smallest,
      ])
    try reads(
      [
        "0": 0, "1": 1, "0.5": 0.5, "1e400": Float.infinity, "-1e400": -.infinity, "9223372036854775807": Float(largest),
        "-9223372036854775808": Float(smallest),
      ])
  }

  @Test func `text, where bytes that are no UTF-8 become U+FFFD`() throws {
    try reads([
      "''": "", "'1'": "1", "'a' || char(0)": "a\0", "CAST(x'61ff' AS TEXT)": "a\u{FFFD}",
      "'00112233-4455-6677-8899-aabbccddeeff'": "00112233-4455-6677-8899-aabbccddeeff",
      "'2026-11-21T06:19:00.000Z'": "2026-11-21T06:19:00.000Z", "'{}'": "{}",
    ])
  }

  @Test func `bytes and UUIDs`() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try reads([
      "x''": Data(), "x'00112233445566778899aabbccddeeff'": withUnsafeBytes(of: uuid.uuid) { Data($0) }, "zeroblob(16)": Data(count: 16),
    ])
    try reads(["x'00112233445566778899aabbccddeeff'": uuid, "zeroblob(16)": zero])
    try reads(["'00112233-4455-6677-8899-aabbccddeeff'": uuid], as: .uuid(.text))
  }

  // Numbers beyond the years that are written are read all the same.
  @Test func `dates`() throws {
    try reads(["'2026-11-21T06:19:00.000Z'": Date(timeIntervalSince1970: 1_795_241_940)])
    func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
    try reads(
      [
        "0": at(0), "1": at(1), "0.5": at(0.5), "1e400": at(.infinity), "-1e400": at(-.infinity),
        "9223372036854775807": at(9_223_372_036_854_775_808), "-9223372036854775808": at(-9_223_372_036_854_775_808),
      ], as: .date(.unixSeconds))
    try reads(
      [
        "0": at(0), "1": at(0.001), "9223372036854775807": at(9_223_372_036_854_775.807),
        "-9223372036854775808": at(-9_223_372_036_854_775.808),
      ], as: .date(.unixMilliseconds))
  }

  @Test func `decimals, lists and optionals`() throws {
    try reads(["'1'": Decimal(1)])
    try reads(["'{}'": [String: Int]()])
    try reads(
      [
        "0": Decimal(0), "1": Decimal(sign: .plus, exponent: -2, significand: 1),
        "9223372036854775807": try #require(Decimal(string: "92233720368547758.07")),
        "-9223372036854775808": try #require(Decimal(string: "-92233720368547758.08")),
      ], as: .decimal(.scaled(2)))
    try reads(["NULL": nil, "0": 0, "1": 1 as Int8?])
    try reads(
      [
        "NULL": nil, "x''": Data(), "zeroblob(16)": Data(count: 16),
        "x'00112233445566778899aabbccddeeff'": Data((0...15).map { UInt8($0 * 17) }),
      ] as [String: Data?])
  }
}
