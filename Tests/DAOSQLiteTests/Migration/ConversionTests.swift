import DAOCriteria
import DAOSQL
import Foundation
import Testing

@testable import DAOSQLite

@Suite("Migration: values that are stored alike, and mean another thing")
struct ConversionTests {
  private func entity(_ attribute: Attribute) -> EntityDescription {
    EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer), attribute])
  }

  @Test func `a hint converts them once, and the declared type says that it has`() throws {
    let cases: [(values: String, type: AttributeType, by: @Sendable (StoredValue) throws -> Scalar, result: [String])] = [
      ("12", .decimal(.scaled(2)), { if case .integer(let number) = $0 { .decimal(Decimal(number)) } else { .null } }, ["1200"]),
      (
        "1700000000", .date(.unixMilliseconds),
        { if case .integer(let seconds) = $0 { .date(Date(timeIntervalSince1970: Double(seconds))) } else { .null } }, ["1700000000000"]
      ),
      ("5", .bool, { if case .integer(let number) = $0 { .bool(number > 3) } else { .null } }, ["1"]),
    ]
    for (value, type, conversion, result) in cases {
      let store = try Migrated(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, x INTEGER);
        INSERT INTO t VALUES (1, \(value))
        """)
      let (now, migration) = (entity(Attribute("x", type, optional: true)), Migration(.convert("t", "x", by: conversion)))
      // Without the hint nothing is due: the values are taken for what they are.
      #expect(try store.steps([now]) == [])
      let made = bootstrapper(nil, entities: [now], applicationID: nil, version: 2, migration: migration)
      #expect(try made.requiresMigration(store.url))
      #expect(try store.steps([now], migration) == ["t: turn x from INTEGER into \(type.declaredName)"])
      #expect(try store.rows("SELECT x FROM t") == result)
      #expect(try store.steps([now], migration) == [] && !made.requiresMigration(store.url))
      #expect(try store.rows("SELECT x FROM t") == result)
    }
  }

  @Test func `dates of another form become those of the attribute, by a hint where only a person knows their form`() throws {
    let foreign = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, x DATETIME);
      INSERT INTO t VALUES (1, '2026-11-21 07:19:00'), (2, NULL)
      """)
    let here = AttributeType.DateStorage.text(DatePattern("YYYY-MM-DD HH:MM:SS", zone: "Europe/Bratislava"))
    let hint = Migration.Hint.convert("t", "x") { $0.isNull ? .null : .date(try here.date($0)) }
    try foreign.migrate([entity(Attribute("x", .date(.iso8601), optional: true))], Migration(hint))
    let found = try foreign.rows("SELECT coalesce(x, 'none') FROM t ORDER BY id")
    #expect(found == ["'2026-11-21T06:19:00.000Z'", "'none'"])

    let offset = AttributeType.date(.text("YYYY-MM-DD HH:MM:SS+HH:MM"))
    let stated = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, x "\(offset.declaredName)");
      INSERT INTO t VALUES (1, '2026-11-21 07:19:00+01:00'), (2, '2026-11-21 06:19:00-00:00')
      """)
    let now = entity(Attribute("x", .date(.unixMilliseconds), optional: true))
    #expect(try stated.steps([now]) == ["t: turn x from \(offset.declaredName) into DATETIME_MILLISECONDS"])
    #expect(try stated.rows("SELECT x FROM t") == ["1795241940000", "1795241940000"])
    // And what would lose digits is a problem.
    let exact = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, x DATETIME_NANOSECONDS);
      INSERT INTO t VALUES (1, 1795241940123456789)
      """)
    #expect(try exact.problems([now]).map(\.element) == ["x"])
    #expect(try exact.rows("SELECT x FROM t") == ["1795241940123456789"])
  }

  @Test func `dates keep every digit, or are not converted`() {
    let (nanoseconds, microseconds) = (AttributeType.date(.unixNanoseconds), AttributeType.date(.unixMicroseconds))
    let texts = [6, 9].map { AttributeType.date(.text(DatePattern("YYYY-MM-DD HH:MM:SS.\(String(repeating: "S", count: $0))"))) }
    #expect(
      nanoseconds.converting(.integer(1_795_241_940_123_456_789), to: texts[1]) == .text("2026-11-21 06:19:00.123456789"))
    #expect(nanoseconds.converting(.integer(1_795_241_940_123_456_789), to: texts[0]) == nil)
    #expect(nanoseconds.converting(.integer(1_795_241_940_123_456_789), to: .date(.unixSeconds)) == nil)
    #expect(microseconds.converting(.integer(253_402_300_799_999_999), to: texts[0]) == .text("9999-12-31 23:59:59.999999"))
    #expect(texts[0].converting(.text("9999-12-31 23:59:59.999999"), to: microseconds) == .integer(253_402_300_799_999_999))
    #expect(AttributeType.date(.iso8601).converting(.text("2026-11-21T06:19:00.250Z"), to: .date(.unixSecondsText)) == nil)
  }

  @Test func `decimals that are kept in doubles are converted as they are read, or not where digits would be lost`() {
    let (numeric, real) = (AttributeType.decimal(.numeric(2)), AttributeType.decimal(.real(2)))
    let (text, cents) = (AttributeType.decimal(.text), AttributeType.decimal(.scaled(2)))
    #expect(numeric.converting(.real(1.989_999_999_999_999_8), to: text) == .text("1.99"))
    #expect(numeric.converting(.real(1.989_999_999_999_999_8), to: cents) == .integer(199))
    #expect(numeric.converting(.real(1.994), to: text) == nil && numeric.converting(.real(1.994), to: cents) == nil)
    #expect(real.converting(.real(7), to: numeric) == .integer(7) && numeric.converting(.integer(7), to: real) == .real(7))
    #expect(numeric.converting(.integer(9_007_199_254_740_993), to: real) == nil)
    #expect(text.converting(.text("1.99"), to: numeric) == .real(1.99) && text.converting(.text("1.995"), to: numeric) == nil)
    #expect(text.converting(.text("12345678901234567.89"), to: numeric) == nil)
    #expect(cents.converting(.integer(199), to: real) == .real(1.99))
    #expect(AttributeType.integer.converting(.integer(7), to: numeric) == .integer(7))
    #expect(numeric.converting(.text("abc"), to: text) == nil)
  }

  @Test func `a column of NUMERIC(10,2) is converted as the decimals that it holds`() throws {
    let table = """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, x NUMERIC(10,2));
      INSERT INTO t VALUES (1, 1.9899999999999998), (2, 7), (3, 0.1 + 0.2), (4, -0.01)
      """
    for (type, values) in [
      (AttributeType.decimal(.text), ["'1.99'", "'7'", "'0.3'", "'-0.01'"]), (.decimal(.scaled(2)), ["199", "700", "30", "-1"]),
    ] {
      let store = try Migrated(table)
      try store.migrate([entity(Attribute("x", type, optional: true))], Migration())
      #expect(try store.rows("SELECT x FROM t") == values)
    }
    // A digit that would be lost is in the way.
    let store = try Migrated(table + "; INSERT INTO t VALUES (5, 1.994)")
    let problems = try store.problems([entity(Attribute("x", .decimal(.text), optional: true))], Migration())
    #expect(problems.first?.message.contains("1 row has a value") == true, "\(problems)")
  }

  @Test func `what the hint throws is told before anything is changed`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, x INTEGER);
      INSERT INTO t VALUES (1, 1), (2, 7)
      """)
    let hint = Migration.Hint.convert("t", "x") { value in
      guard case .integer(0...1) = value else { throw DAOError.unsupported("seven") }
      return .bool(value == .integer(1))
    }
    let problems = try store.problems([entity(Attribute("x", .bool, optional: true))], Migration(hint))
    #expect(problems.map(\.element) == ["x"])
    #expect(problems.first?.message.contains("1 row has a value") == true, "\(problems)")
  }

  @Test func `a STRICT table has no name for it, and is left alone`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, x INTEGER) STRICT;
      INSERT INTO t VALUES (1, 5)
      """)
    let migration = Migration(.convert("t", "x") { _ in .bool(true) })
    #expect(try store.steps([entity(Attribute("x", .bool, optional: true))], migration) == [])
    // And where it is made anew for another reason.
    try store.migrate([entity(Attribute("x", .bool, default: .bool(false)))], Migration(.convert("t", "x") { _ in .bool(true) }))
    #expect(try store.rows("SELECT x FROM t") == ["5"])
  }

  @Test func `entities that share a table each convert their own columns`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, b TEXT);
      INSERT INTO t VALUES (1, '1', '2')
      """)
    let entities = ["a", "b"].map { name in
      EntityDescription(
        "entity \(name)", table: "t", key: .generated("id"),
        attributes: [Attribute("id", .integer), Attribute(name, .integer, optional: true)])
    }
    let migration = Migration(
      .convert("entity a", "a") { _ in .integer(10) }, .convert("entity b", "b") { _ in .integer(20) })
    try store.migrate(entities, migration)
    #expect(try store.rows("SELECT * FROM t") == ["1 10 20"])
    // And one that both have, of which the other says what becomes.
    let minutes = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, at INTEGER);
      INSERT INTO t VALUES (1, 2)
      """)
    let both = ["a", "b"].map { name in
      EntityDescription(
        "entity \(name)", table: "t", key: .generated("id"),
        attributes: [Attribute("id", .integer), Attribute("at", .date(.unixMilliseconds), optional: true)])
    }
    let hint = Migration.Hint.convert("entity b", "at") { value in
      if case .integer(let minutes) = value { .date(Date(timeIntervalSince1970: Double(minutes) * 60)) } else { .null }
    }
    try minutes.migrate(both, Migration(hint))
    #expect(try minutes.rows("SELECT at FROM t") == ["120000"])
  }
}
