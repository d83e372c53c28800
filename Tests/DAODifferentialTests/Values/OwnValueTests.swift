import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// A row is found by what was written into it.
struct OwnValueTests {
  private static let types: [AttributeType] = [.date(.unixMilliseconds), .date(.iso8601), .date(.unixSeconds)]

  @Test(arguments: Both.allCases, types)
  func `a row is found by its own date, whatever it is rounded to`(which: Both, type: AttributeType) throws {
    let entity = EntityDescription("event", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", type)])
    let store = try which.store(for: [entity])
    var random = RandomSource(seed: TestCases.seed)
    // Between milliseconds, near to one, and halfway.
    let count = TestCases.count(300, inSuite: 60)
    let dates = (0..<count).map { number in
      let whole = Double(Int.random(in: -2_000_000_000...2_000_000_000, using: &random))
      return Date(timeIntervalSince1970: whole + Double(number) / Double(count) + [0, 0.000_4, 0.000_5, 0.000_999][number % 4])
    }
    _ = try store.insert(dates.map { try DynamicEntity(entity, ["value": .date($0)]) }, in: EntityTarget(entity))
    for (number, date) in dates.enumerated() {
      let field = Criteria.Term.field(FieldPath("value"))
      for filter in [
        Criteria.Condition.compare(field, .equal, .value(.date(date))), .among(field, [.date(date)]),
        .between(field, .value(.date(date)), .value(.date(date))),
      ] {
        #expect(try store.keys(filter, of: entity).contains(Int64(number + 1)), "\(date.timeIntervalSince1970) \(filter.node)")
      }
      #expect(try !store.keys(.compare(field, .notEqual, .value(.date(date))), of: entity).contains(Int64(number + 1)))
    }
  }

  @Test(arguments: Both.allCases)
  func `each letter of ASCII is the same without regard to case, beside others too`(which: Both) throws {
    let entity = EntityDescription("word", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", .text)])
    let store = try which.store(for: [entity])
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    let words = letters.flatMap { [$0, $0.lowercased(), $0 + "é", "é" + $0.lowercased()] } + ["@", "[", "`", "{"]
    _ = try store.insert(words.map { try DynamicEntity(entity, ["value": .text($0)]) }, in: EntityTarget(entity))
    let field = Criteria.Term.field(FieldPath("value"))
    func found(_ filter: Criteria.Condition) throws -> [String] { try store.keys(filter, of: entity).map { words[Int($0) - 1] } }
    for letter in letters {
      let (small, beside) = (letter.lowercased(), [letter + "é", "é" + letter.lowercased()])
      for pattern in [letter, small] {
        #expect(try found(.matches(field, .like, .text(pattern), caseSensitive: false)) == [letter, small])
        #expect(try found(.matches(field, .contains, .text(pattern), caseSensitive: false)) == [letter, small] + beside)
        #expect(try found(.matches(field, .beginsWith, .text(pattern), caseSensitive: false)) == [letter, small, beside[0]])
        #expect(try found(.matches(field, .endsWith, .text(pattern), caseSensitive: false)) == [letter, small, beside[1]])
      }
      #expect(try found(.compare(.function(.lower, [field]), .equal, .value(.text(small)))) == [letter, small])
      #expect(try found(.compare(.function(.upper, [field]), .equal, .value(.text(letter)))) == [letter, small])
    }
    #expect(
      try found(.matches(field, .like, "@", caseSensitive: false)) == ["@"]
        && found(.matches(field, .like, "[", caseSensitive: false)) == ["["])
  }
}
