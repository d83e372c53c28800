import DAOKit
import Foundation
import GRDB
import TestCases
import Testing

/// Random stored values in an attribute of every type: what the doctor tells is what reading them tells.
@Suite("Examining values")
struct DoctorValueTests {
  /// Declared types that leave values as they are, that are the attribute's own, and that are some other tool's.
  private static func declarations(_ type: AttributeType) -> [String] {
    let name = type.declaredName
    return ["", name.contains(where: { "-/".contains($0) }) ? name.quotedDatabaseIdentifier : name, "TEXT", "NUMERIC"]
  }

  /// Of each row, whether it can't be read, or is not found by the value that is read.
  private func broken<Value: AttributeValue>(_ value: Value.Type, _ type: AttributeType, in store: TestStore, rows: Int) throws -> [Int64:
    DoctorReport.Kind]
  {
    let target = EntityTarget(Box<Value>.description(type))
    // As if it fitted: else no value would be read from a column of another type.
    try store.engine.read(snapshot: false) { try $0.statements.checked.open([target.entity], version: $0.schemaMark().version) }
    var broken: [Int64: DoctorReport.Kind] = [:]
    for id in 1...Int64(rows) {
      let value: Value
      do {
        value = try store.store.find(Box<Value>.self, in: target, key: id).value
      } catch DAOError.undecodable {
        broken[id] = .unreadableValue
        continue
      }
      do {
        var criteria = Criteria()
        criteria.filter = .all([
          .compare(.field(FieldPath("id")), .equal, Criteria.Term(id)),
          .compare(.field(FieldPath("value")), .equal, .value(try value.scalar)),
        ])
        if try store.store.find(Box<Value>.self, in: target, criteria).isEmpty { broken[id] = .unfindableValue }
      } catch is DAOError { broken[id] = .unfindableValue } catch is ValueProblem { broken[id] = .unfindableValue }
    }
    return broken
  }

  /// Asserts that just the rows are told that can't be read, or are not found again.
  private func check<Value: AttributeValue>(
    _ value: Value.Type, _ type: AttributeType = Value.attributeType, seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var literals = StoredLiterals(seed: seed)
    // As many rows as a finding has examples, so that all are told.
    let count = 5
    for round in 0..<TestCases.count(60, inSuite: 8) {
      let declared = Self.declarations(type)[round % 4]
      let values = (0..<count).map { _ in literals.next() }
      let store = try TestStore(
        [],
        sql:
          """
          CREATE TABLE box (id INTEGER PRIMARY KEY, value \(declared)); \
          INSERT INTO box (value) VALUES (\(values.joined(separator: "), (")))
          """
      )
      let expected = try broken(value, type, in: store, rows: count)
      // A Swift type knows more than the attribute's; without one, the attribute's is all that there is.
      let doctor =
        type == Value.attributeType ? StoreDoctor(entities: Box<Value>.self) : StoreDoctor(describedBy: [Box<Value>.description(type)])
      let findings = try doctor.examine(store.engine).findings.filter {
        $0.attribute == "value" && [.unreadableValue, .unfindableValue].contains($0.kind)
      }
      var found: [Int64: DoctorReport.Kind] = [:]
      for finding in findings {
        #expect(finding.rows == finding.examples.count && finding.entity == "box", sourceLocation: sourceLocation)
        for example in finding.examples { if case .integer(let id)? = example.key.first { found[id] = finding.kind } }
      }
      #expect(found == expected, "\(Value.self), \(type.declaredName) in \(declared): \(values)", sourceLocation: sourceLocation)
    }
  }

  @Test func `numbers and truth values`() throws {
    try check(Int64.self, seed: 1)
    try check(Int8.self, seed: 2)
    try check(UInt64.self, seed: 3)
    try check(Double.self, seed: 4)
    try check(Float.self, seed: 5)
    try check(Bool.self, seed: 6)
    try check(Bool.self, .boolText("true/false"), seed: 32)
  }

  @Test func `texts, bytes and what is kept as text`() throws {
    try check(String.self, seed: 7)
    try check(Data.self, seed: 8)
    try check(URL.self, seed: 9)
    try check(Kind.self, seed: 10)
    try check(Level.self, seed: 11)
    try check(Address.self, seed: 12)
    try check([Int].self, seed: 13)
    try check(String.self, .text(.nocase), seed: 34)
    try check(String.self, .text(.padded(10)), seed: 35)
    try check(String.self, .text(.blob), seed: 36)
    try check([String].self, seed: 14)
    try check(Celsius.self, seed: 15)
  }

  @Test func `UUIDs, dates and decimals`() throws {
    try check(UUID.self, seed: 16)
    try check(UUID.self, .uuid(.text), seed: 17)
    try check(UUID.self, .uuid(.spelled([.capitals])), seed: 33)
    try check(Date.self, seed: 18)
    try check(Date.self, .date(.unixSeconds), seed: 19)
    try check(Date.self, .date(.unixMilliseconds), seed: 20)
    try check(Date.self, .date(.text("YYYY-MM-DD HH:MM:SS")), seed: 26)
    try check(Date.self, .date(.unixNanoseconds), seed: 27)
    try check(Date.self, .date(.julianDays), seed: 28)
    try check(Date.self, .date(.secondsSince2001), seed: 29)
    try check(Decimal.self, seed: 21)
    try check(Decimal.self, .decimal(.scaled(2)), seed: 22)
    try check(Decimal.self, .decimal(.numeric(2)), seed: 30)
    try check(Decimal.self, .decimal(.real(2)), seed: 31)
  }

  @Test func `optionals`() throws {
    try check(Int?.self, seed: 23)
    try check(Bool?.self, seed: 24)
    try check(String?.self, seed: 25)
  }

  // MARK: Repairs

  /// What a stored value means, however it is spelled; nil where that is for a person to say.
  private static func meaning(_ value: DatabaseValue, _ type: AttributeType) -> String? {
    switch (type, value.storage) {
    case (_, .null): return "null"
    case (.bool, .string(let text)), (.boolText, .string(let text)): return Self.truths[text.lowercased()]
    case (.bool, .int64(let integer)), (.boolText, .int64(let integer)): return "\(integer)"
    case (.bool, .double(let number)): return number == 0 ? "0" : number == 1 ? "1" : nil
    case (.integer, .string(let text)): return Int64(text).map { "\($0)" }
    case (.integer, .int64(let integer)): return "\(integer)"
    case (.integer, .double(let number)): return Int64(exactly: number).map { "\($0)" }
    case (.storedText(.padded), .string(let text)): return String(text.reversed().drop { $0 == " " }.reversed())
    case (.storedText(.blob), .blob(let data)): return String(data: data, encoding: .utf8)
    case (.text, .string(let text)), (.storedText, .string(let text)), (.decimal(.text), .string(let text)): return text
    case (.text, .int64(let integer)), (.storedText(.nocase), .int64(let integer)), (.decimal(.text), .int64(let integer)):
      return "\(integer)"
    case (.decimal(.numeric), .string(let text)): return DecimalText.decimal(text).map { "\($0)" }
    case (.decimal(.numeric), .int64(let integer)): return "\(integer)"
    case (.decimal(let storage), .double(let number)): return (try? storage.decimal(.real(number))).map { "\($0)" }
    case (.uuid, .string(let text)): return Self.uuid(text)?.uuidString
    case (.uuid(.text), .blob(let data)), (.uuid(.spelled), .blob(let data)):
      return data.count == 16 ? data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString } : nil
    case (.date(.text(let pattern)), .string(let text)): return Self.meaning(text, as: pattern)
    case (.date(let storage), .string(let text)):
      guard text.count >= 20, text.last == "Z" || text.last == "z" else { return nil }
      let digits = text.dropFirst(20).dropLast()
      guard digits.count <= 3, digits.allSatisfy(\.isNumber), text.count == 20 || text.dropFirst(19).first == "." else { return nil }
      let exact =
        text.prefix(10) + "T" + text.dropFirst(11).prefix(8) + "." + digits + String(repeating: "0", count: 3 - digits.count) + "Z"
      guard case .date(let date)? = try? AttributeType.date(.iso8601).scalar(.text(String(exact))) else { return nil }
      return storage == .unixSeconds && !digits.isEmpty ? nil : "\(Int64((date.timeIntervalSince1970 * 1000).rounded()))"
    case (.date(.unixSeconds), .int64(let seconds)): return "\(seconds.multipliedReportingOverflow(by: 1000).partialValue)"
    case (.date(.unixMilliseconds), .int64(let milliseconds)): return "\(milliseconds)"
    default: return nil
    }
  }

  private static let truths = [
    "1": "1", "true": "1", "t": "1", "yes": "1", "y": "1", "on": "1", "0": "0", "false": "0", "f": "0", "no": "0", "n": "0", "off": "0",
  ]

  /// The UUID of a text in any spelling.
  private static func uuid(_ text: String) -> UUID? {
    var digits = text.filter { $0 != "-" && $0 != "{" && $0 != "}" }
    guard digits.count == 32 else { return nil }
    for place in [8, 13, 18, 23] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
    return UUID(uuidString: digits)
  }

  /// The instant that a text says, with `Z` or, where the pattern has none, without; a day where the time is 0:00.
  private static func meaning(_ text: String, as pattern: DatePattern) -> String? {
    let forms: [DatePattern] =
      [
        "YYYY-MM-DD HH:MM:SS.FFFFFFFFF", "YYYY-MM-DDTHH:MM:SS.FFFFFFFFF", "YYYY-MM-DD HH:MM:SS.FFFFFFFFFZ",
        "YYYY-MM-DDTHH:MM:SS.FFFFFFFFFZ",
      ]
      + [pattern]
    let isInZone = text.last == "Z" || text.last == "z"
    if pattern.pattern.hasSuffix("Z"), !isInZone { return nil }
    // Zeros at the end of the digits say nothing.
    var plain = isInZone ? String(text.dropLast()) : text
    if let point = plain.lastIndex(of: ".") {
      guard plain.index(after: point) < plain.endIndex, plain[plain.index(after: point)...].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        return nil
      }
      while plain.last == "0" { plain.removeLast() }
      if plain.last == "." { plain.removeLast() }
    }
    return forms.lazy.compactMap { try? AttributeType.DateStorage.text($0).date(.text(plain)) }.first.map { "\($0.timeIntervalSince1970)" }
  }

  @Test(arguments: [
    AttributeType.bool, .integer, .real, .text, .data, .json, .uuid(.blob), .uuid(.text), .date(.iso8601), .date(.unixSeconds),
    .date(.unixMilliseconds), .decimal(.text), .decimal(.scaled(2)), .decimal(.numeric(2)), .any, .boolText("Y/N"), .boolText("1/0"),
    .uuid(.spelled([.capitals, .inBraces])), .uuid(.spelled([.withoutHyphens])), .date(.text("YYYY-MM-DD HH:MM:SS")),
    .date(.text("YYYY-MM-DDTHH:MM:SS.SSSSSSZ")), .text(.nocase), .text(.padded(10)), .text(.blob), .date(.text("YYYY-MM-DD")),
    .date(.text("YYYY-MM-DD HH:MM:SS+HH:MM")),
  ])
  func `a repair changes the spelling of values, and never what they mean`(type: AttributeType) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dao-doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let entity = EntityDescription(
      "box", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", type, optional: true)])
    let doctor = StoreDoctor(describedBy: [entity])
    var literals = StoredLiterals(seed: TestCases.seed)
    var changes = 0
    for declared in Self.declarations(type) {
      let queue = try DatabaseQueue(path: url.path)
      // The first are some that can be repaired, which are rare among the others.
      let repairable = ["2001-01-01T00:00:00Z", "12", "true", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"].map { "('\($0)')" } + ["(12)"]
      let values = (repairable + (0..<TestCases.count(1500, inSuite: 60)).map { _ in "(\(literals.next()))" })
        .joined(separator: ", ")
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql:
            """
            DROP TABLE IF EXISTS box; \
            CREATE TABLE box (id INTEGER PRIMARY KEY, value \(declared)); \
            INSERT INTO box (value) VALUES \(values)
            """
        )
      }
      func stored() throws -> [DatabaseValue] {
        try queue.read {
          try DatabaseValue.fetchAll(
            $0,
            sql:
              """
              SELECT CASE WHEN typeof(value) = 'text' AND (hex(value) LIKE '%FF%' OR hex(value) LIKE '%00%') \
              THEN CAST(value AS BLOB) ELSE value END \
              FROM box ORDER BY id
              """
          )
        }
      }
      let before = try stored()
      let report = try doctor.examine(url)
      let broken = report.findings.filter { $0.kind == .unreadableValue || $0.kind == .unfindableValue }
      try queue.writeWithoutTransaction { db in for statement in report.repairSQL { try db.execute(sql: statement) } }
      let after = try stored()
      for (old, new) in zip(before, after) where old.storage != new.storage {
        changes += 1
        let meaning = Self.meaning(old, type)
        #expect(meaning != nil && meaning == Self.meaning(new, type), "\(old) → \(new), \(type.declaredName) in \(declared)")
      }
      // What was repaired is good, and nothing is left that could be repaired.
      let second = try doctor.examine(url)
      #expect(second.repairSQL.isEmpty, "\(second)")
      let left = second.findings.filter { $0.kind == .unreadableValue || $0.kind == .unfindableValue }
      func rows(_ findings: [DoctorReport.Finding]) -> Int { findings.compactMap(\.rows).reduce(0, +) }
      #expect(rows(broken) - rows(left) == zip(before, after).filter { $0.storage != $1.storage }.count)
      try queue.close()
    }
    let canChange: Bool =
      switch type {
      case .date(.text(let pattern)): pattern.parts != nil
      case .bool, .boolText, .integer, .text, .storedText, .uuid(.text), .uuid(.spelled), .date, .decimal(.text), .decimal(.numeric): true
      default: false
      }
    #expect((changes > 0) == canChange, "\(changes)")
  }

  // MARK: Findings

  /// Each form of what is wrong is a finding of its own, with how many rows have it.
  @Test func `one scan tells every broken attribute, each form by itself`() throws {
    let entity = EntityDescription(
      "thing", key: .assigned(["a", "b"]),
      attributes: [
        Attribute("a", .text), Attribute("b", .integer), Attribute("on", .date(.iso8601)), Attribute("flag", .bool),
        Attribute("price", .decimal(.text)),
      ])
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE thing (a TEXT, b INTEGER, "on", flag, price, PRIMARY KEY (a, b));
        INSERT INTO thing VALUES ('x', 1, '2026-11-21T06:19:00.000Z', 1, '1.5'), ('x', 2, '2026-11-21 06:19:00', 'true', '1.50'),
          ('y', 1, 1795241940, 'yes', '1.5'), ('y', 2, '2026-11-21', 0, NULL), ('z', 1, '2026-11-21T06:19:00Z', 2, 1.5);
        """)
    let report = try StoreDoctor(describedBy: [entity]).examine(store.engine)
    func summary(_ finding: DoctorReport.Finding) -> String {
      "\(finding.kind) \(finding.attribute ?? "") \(finding.examples.map(\.description).joined(separator: "; "))"
    }
    #expect(
      Set(report.findings.map(summary).filter { !$0.hasPrefix("drift") }) == [
        "unreadableValue on ('x', 2) '2026-11-21 06:19:00'; ('y', 2) '2026-11-21'; ('z', 1) '2026-11-21T06:19:00Z'",
        "unreadableValue on ('y', 1) 1795241940", "unreadableValue flag ('x', 2) 'true'; ('y', 1) 'yes'", "unreadableValue flag ('z', 1) 2",
        "unreadableValue price ('y', 2) NULL", "unreadableValue price ('z', 1) 1.5",
      ])
    #expect(
      report.findings.first { $0.kind == .unreadableValue && $0.attribute == "on" }?.repair.sentence.contains("in 1 of the 3 rows") == true)
    #expect(report.facts?.rowCounts == ["thing": 5])
    // One look at the rows; the others count what a repair reaches.
    #expect(store.trace.texts.filter { $0.hasPrefix("SELECT \"a\", \"b\"") }.count == 1)
  }

  @Test func `a table that lacks attributes is examined for those that it has`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE zone (id INTEGER PRIMARY KEY, name);
        INSERT INTO zone VALUES (1, x'00'), (2, 'b')
        """)
    let report = try StoreDoctor(entities: Zone.self).examine(store.engine)
    #expect(report.findings.contains { $0.kind == .drift && $0.attribute == "offset" })
    #expect(report.findings.contains { $0.kind == .unreadableValue && $0.attribute == "name" && $0.rows == 1 })
  }
}
