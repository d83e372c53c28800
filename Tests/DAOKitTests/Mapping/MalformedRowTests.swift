import DAOKit
import Foundation
import Testing

@Suite("Stored values that break their attribute's form")
struct MalformedRowTests {
  /// The error of reading a value that another tool wrote as the second row.
  func failure<Value: AttributeValue>(
    _ type: Value.Type, _ attribute: AttributeType? = nil, good: String, bad: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let target = EntityTarget(Box<Value>.description(attribute ?? Value.attributeType))
    // Without a type, the column keeps what it is given; the store's own may not have let it in.
    let store = try TestStore([], sql: "CREATE TABLE box (id INTEGER PRIMARY KEY, value)")
    _ = try store.store.execute(SQL(stringLiteral: "INSERT INTO box (value) VALUES (\(good)), (\(bad))"))
    var messages: [String] = []
    func note(_ body: () throws -> Void) {
      do { try body() } catch DAOError.undecodable(let entity, let column, let row, let problem) {
        messages.append("\(entity).\(column)[\(row)] \(problem)")
      } catch { messages.append("other: \(error)") }
    }
    note { _ = try store.store.find(Box<Value>.self, in: target, Criteria()) }
    note { _ = try store.store.find(Box<Value>.self, in: target, key: 2) }
    note { _ = try store.store.query("SELECT value, id FROM box", Box<Value>.self, of: target.entity) }
    #expect(messages.count == 3, sourceLocation: sourceLocation)
    #expect(
      messages.count < 3 || messages[0] == messages[2] && messages[1] == messages[0].replacing("[1]", with: "[0]"), "\(messages)",
      sourceLocation: sourceLocation)
    return messages.first.map { [$0] } ?? []
  }

  @Test func `text in a Bool`() throws {
    #expect(try failure(Bool.self, good: "1", bad: "'true'") == ["box.value[1] expects 0 or 1, not 'true'"])
    #expect(try failure(Bool.self, good: "0", bad: "2") == ["box.value[1] expects 0 or 1, not 2"])
  }

  @Test func `text, doubles and numbers out of range in integers`() throws {
    #expect(try failure(Int.self, good: "1", bad: "'2'") == ["box.value[1] expects an integer, not '2'"])
    #expect(try failure(Int64.self, good: "1", bad: "2.5") == ["box.value[1] expects an integer, not 2.5"])
    #expect(try failure(Int8.self, good: "127", bad: "128") == ["box.value[1] expects Int8, not 128"])
    #expect(try failure(UInt8.self, good: "255", bad: "-1") == ["box.value[1] expects UInt8, not -1"])
    #expect(try failure(UInt64.self, good: "0", bad: "-1") == ["box.value[1] expects UInt64, not -1"])
    #expect(try failure(Int32.self, good: "0", bad: "2147483648") == ["box.value[1] expects Int32, not 2147483648"])
  }

  @Test func `text in a double, a number in text, text in bytes`() throws {
    #expect(try failure(Double.self, good: "1", bad: "'x'") == ["box.value[1] expects a double, not 'x'"])
    #expect(try failure(String.self, good: "'x'", bad: "5") == ["box.value[1] expects text, not 5"])
    #expect(try failure(Data.self, good: "x'00'", bad: "'x'") == ["box.value[1] expects data, not 'x'"])
  }

  @Test func `null in what is not optional`() throws {
    #expect(try failure(Int.self, good: "1", bad: "NULL") == ["box.value[1] expects an integer, but is null"])
    #expect(try failure(String.self, good: "''", bad: "NULL") == ["box.value[1] expects text, but is null"])
    #expect(try failure(Bool.self, good: "0", bad: "NULL") == ["box.value[1] expects 0 or 1, but is null"])
    #expect(try failure(Double.self, good: "0", bad: "NULL") == ["box.value[1] expects a double, but is null"])
    for messages in [
      try failure(UUID.self, good: "x'00112233445566778899AABBCCDDEEFF'", bad: "NULL"),
      try failure(Date.self, good: "'1970-01-01T00:00:00.000Z'", bad: "NULL"), try failure(Decimal.self, good: "'1'", bad: "NULL"),
      try failure(Kind.self, good: "'sea'", bad: "NULL"), try failure(Address.self, good: #"'{"street":"x"}'"#, bad: "NULL"),
      try failure(Celsius.self, good: "1.0", bad: "NULL"), try failure(URL.self, good: "'a:b'", bad: "NULL"),
      try failure(Data.self, good: "x''", bad: "NULL"),
    ] {
      #expect(
        messages.first?.hasPrefix("box.value[1] ") == true && messages.first?.contains("null") == true
          || messages.first?.contains("nil") == true, "\(messages)")
    }
  }

  @Test func `a UUID of another length or form`() throws {
    #expect(try failure(UUID.self, good: "x'00112233445566778899AABBCCDDEEFF'", bad: "x'0011'").count == 1)
    #expect(try failure(UUID.self, .uuid(.text), good: "'00112233-4455-6677-8899-aabbccddeeff'", bad: "'0011'").count == 1)
    #expect(try failure(UUID.self, good: "x'00112233445566778899AABBCCDDEEFF'", bad: "7").count == 1)
  }

  @Test(
    arguments: [
      "'2026-11-21 06:19:00'", "'2026-11-21 06:19:00.000Z'", "'2026-11-21T06:19:00.000+01:00'", "'2026-11-21'", "1795241940", "1.5", "''",
      "'2026-13-21T06:19:00.000Z'", "'2026-02-30T06:19:00.000Z'", "'2026-11-21T25:19:00.000Z'", "'2026-11-21T06:19:00,000Z'", "x'00'",
      "'2026-11-21T06:19:00.000z'", "'2026-11-21 06:19:00Z'", "'+026-11-21T06:19:00.000Z'", "'2026-11-21T06:19:0é.00Z'",
    ])
  func `dates of another form in one column`(_ bad: String) throws {
    let messages = try failure(Date.self, good: "'2026-11-21T06:19:00.000Z'", bad: bad)
    #expect(messages.first?.hasPrefix("box.value[1] expects a date") == true, "\(messages)")
  }

  @Test func `text among numeric dates`() throws {
    #expect(try failure(Date.self, .date(.unixSeconds), good: "1", bad: "'1970-01-01T00:00:00.000Z'").count == 1)
    #expect(try failure(Date.self, .date(.unixMilliseconds), good: "1", bad: "1.5").count == 1)
  }

  @Test func `decimals that are none`() throws {
    for bad in ["'abc'", "'12abc'", "1.5", "1", "''", "'.'", "'1.2.3'", "'1e5'", "'NaN'", "' 1'", "'1-'"] {
      #expect(try failure(Decimal.self, good: "'1.5'", bad: bad).first?.hasPrefix("box.value[1] expects") == true)
    }
    #expect(try failure(Decimal.self, .decimal(.scaled(2)), good: "150", bad: "'1.50'").count == 1)
    #expect(try failure(Decimal.self, .decimal(.scaled(2)), good: "150", bad: "1.5").count == 1)
  }

  @Test func `enums, JSON and conversions without a value`() throws {
    #expect(try failure(Kind.self, good: "'sea'", bad: "'air'") == [#"box.value[1] expects Kind, not "air""#])
    #expect(try failure(Level.self, good: "9", bad: "2") == ["box.value[1] expects Level, not 2"])
    #expect(
      try failure(Address.self, good: #"'{"street":"x"}'"#, bad: "'{'").first?.hasPrefix("box.value[1] expects JSON of Address") == true)
    #expect(try failure(Celsius.self, good: "1.0", bad: "-1.0").first?.hasPrefix("box.value[1] can't be Celsius from -1.0") == true)
    #expect(try failure([String].self, good: "'[]'", bad: "'{}'").count == 1)
  }
}
