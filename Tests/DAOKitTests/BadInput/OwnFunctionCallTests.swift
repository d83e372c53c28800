import DAOKit
import TestCases
import Testing

@Suite("The library's functions in SQL of a person's own")
struct OwnFunctionCallTests {
  static let values: [SQL] = [
    "NULL", "0", "1", "2", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "-1e308", "''", "'a'", "'1970-01-01T00:00:00.000Z'",
    "'[1,{\"a\":2}]'", "x''", "x'00ff'", "'TEXT'", "'INTEGER'", "'REAL'", "'BOOLEAN'", "'DATETIME_TEXT'", "'DATETIME_SECONDS'",
    "'DATETIME_MILLISECONDS'", "'DECIMAL_TEXT'", "'DECIMAL_INTEGER(2)'", "'DECIMAL_INTEGER(18)'", "'DESC NULLS LAST INTEGER'", "'ASC'",
  ]

  @Test func `with any number of arguments, of any kind, they have a value or are an error`() throws {
    let store = try TestStore.zones()
    let names = try store.zones.query(
      "SELECT DISTINCT name FROM pragma_function_list WHERE name LIKE 'dao\\_%' ESCAPE '\\' ORDER BY name"
    ) { try $0.next(String.self) }
    #expect(names.count > 30)
    var random = RandomSource(seed: TestCases.seed)
    var (valueCount, errorCount) = (0, 0)
    for name in names {
      for number in 0..<TestCases.count(4_000, inSuite: 120) {
        let arguments = (0..<number % 7).map { _ in random.pick(Self.values) }
        let sql = arguments.enumerated().reduce("SELECT \(identifier: name)(" as SQL) { call, argument in
          argument.offset == 0 ? "\(call)\(argument.element)" : "\(call), \(argument.element)"
        }
        do {
          _ = try store.zones.query("\(sql)) AS value FROM zone") { try $0.next(Scalar.self) }
          valueCount += 1
        } catch is DAOError { errorCount += 1 }
      }
    }
    #expect(valueCount > names.count && errorCount > names.count)
  }

  @Test func `a separator that is null joins nothing`() throws {
    let store = try TestStore.zones()
    let joined = try store.zones.query("SELECT dao_concat('a', 'b', 'c', NULL), dao_concat('a', NULL, 'b', ', ') FROM zone LIMIT 1") {
      [try $0.next(String?.self), try $0.next(String?.self)]
    }
    #expect(joined == [[nil, "a, b"]])
  }

  @Test(
    arguments: [
      "dao_year(name)", "dao_year()", "dao_year(1, 'DATETIME_SECONDS', 9223372036854775807)", "dao_round(offset, 2)", "dao_trim()",
      "dao_round(offset, 'DECIMAL_INTEGER(2)', -9223372036854775808)", "dao_substring(name)", "dao_substring(name, -1)",
      "dao_replace(name, 'a')", "dao_groupConcat(name)", "dao_groupConcat()", "dao_groupConcat(name, ', ', id)",
    ] as [SQL])
  func `what a function does not take is an error that says so`(call: SQL) throws {
    let store = try TestStore.zones()
    #expect {
      _ = try store.zones.query("SELECT \(call) AS value FROM zone") { try $0.next(Scalar.self) }
    } throws: {
      "\($0)".contains("takes")
    }
  }
}
