import DAOKit
import Foundation
import TestCases
import Testing

@Suite("Decimals", .serialized)
struct DecimalTests {
  static let storages: [AttributeType.DecimalStorage] = [.scaled(4), .text]

  func number(_ text: String) throws -> Decimal { try #require(DecimalText.decimal(text)) }

  /// A store of decimals.
  func store(_ storage: AttributeType.DecimalStorage, _ values: [String?]) throws -> (TestStore, EntityTarget) {
    let target = EntityTarget(Box<Decimal?>.description(.decimal(storage)))
    let store = try TestStore([target.entity])
    _ = try store.store.insert(try values.map { Box<Decimal?>(try $0.map(number)) }, in: target)
    return (store, target)
  }

  func find(_ store: TestStore, _ target: EntityTarget, _ change: (SearchCriteria<Box<Decimal?>>) -> SearchCriteria<Box<Decimal?>>) throws
    -> [String]
  {
    try store.store.find(Box<Decimal?>.self, in: target, change(.all).criteria).map { $0.value?.description ?? "nil" }
  }

  @Test(arguments: storages)
  func `0.1 + 0.2 is 0.3, and other sums and means are exact`(_ storage: AttributeType.DecimalStorage) throws {
    let (store, target) = try store(storage, ["0.1", "0.2", nil])
    typealias Item = Box<Decimal?>
    let criteria = SearchCriteria<Item>.all.project(.sum(\.value), .average(\.value), .min(\.value), .max(\.value))
    let rows = try store.store.report(in: target, criteria.criteria) { row in
      (try row.next(Decimal?.self), try row.next(Decimal?.self), try row.next(Decimal?.self), try row.next(Decimal?.self))
    }
    #expect(rows.count == 1)
    #expect(rows[0].0 == 0.3 && rows[0].1 == 0.15 && rows[0].2 == 0.1 && rows[0].3 == 0.2)
    let (many, manyTarget) = try self.store(storage, (1...1000).map { "\($0).0001" })
    let total = try many.store.report(in: manyTarget, SearchCriteria<Item>.all.project(.sum(\.value)).criteria) {
      try $0.next(Decimal?.self)
    }
    #expect(total == [try number("500500.1")])
    let (none, noneTarget) = try self.store(storage, [nil])
    let nothing = try none.store.report(in: noneTarget, criteria.criteria) { try $0.next(Decimal?.self) }
    #expect(nothing == [nil])
  }

  @Test(arguments: storages)
  func `they are ordered and compared as numbers`(_ storage: AttributeType.DecimalStorage) throws {
    let sorted = ["-100.5", "-100", "-9.25", "-9", "-0.1", "0", "0.0001", "0.1", "0.25", "9", "9.99", "10", "100", "1000.5"]
    var random = RandomSource(seed: TestCases.seed)
    let (store, target) = try store(storage, sorted.shuffled(using: &random) + [nil])
    #expect(try find(store, target) { $0.order(by: .ascending(\.value)) } == ["nil"] + sorted)
    #expect(try find(store, target) { $0.order(by: .descending(\.value)) } == sorted.reversed() + ["nil"])
    let ten = try number("10")
    #expect(try find(store, target) { $0.filter(\.value > ten).order(by: \.value) } == ["100", "1000.5"])
    #expect(try find(store, target) { $0.filter(\.value >= ten).order(by: \.value) } == ["10", "100", "1000.5"])
    #expect(try find(store, target) { $0.filter(\.value < -9).order(by: \.value) } == ["-100.5", "-100", "-9.25"])
    #expect(try find(store, target) { $0.filter(.between(\.value, 9, ten)).order(by: \.value) } == ["9", "9.99", "10"])
    #expect(try find(store, target) { $0.filter(\.value == .max(\.value)) } == ["1000.5"])
    #expect(try find(store, target) { $0.filter(.in(\.value, [ten, -100])).order(by: \.value) } == ["-100", "10"])
  }

  @Test func `text that spells the same number is the same number: 1.50 is 1.5, in lists, groups and distinct rows too`() throws {
    let (store, target) = try store(.text, ["2"])
    _ = try store.store.execute("INSERT INTO box (value) VALUES ('1.50'), ('1.5'), ('+01.5')")
    let value = try number("1.5")
    #expect(try find(store, target) { $0.filter(\.value == value) }.count == 3)
    #expect(try find(store, target) { $0.filter(.in(\.value, [value])) }.count == 3)
    #expect(try find(store, target) { $0.filter(\.value != value) } == ["2"])
    let groups = SearchCriteria<Box<Decimal?>>.all.project(.group(by: \.value), .count, .count(distinct: \.value)).order(by: \.value)
    let counts = try store.store.report(in: target, groups.criteria) { row in
      _ = try row.takeStored()
      return [try row.next(Int.self), try row.next(Int.self)]
    }
    #expect(counts == [[3, 1], [1, 1]])
    let distinct = SearchCriteria<Box<Decimal?>>.all.project(.field(\.value)).distinct()
    #expect(try store.store.report(in: target, distinct.criteria) { try $0.next(Decimal?.self) }.count == 2)
    #expect(try store.store.count(in: target, distinct.criteria) == 2)
  }

  @Test func `their stored form: a scaled integer, or plain digits`() throws {
    #expect(
      try store(.scaled(4), ["0.1", "-12.3456", "0"]).0.stored("value", in: "box") == ["integer 1000", "integer -123456", "integer 0"])
    #expect(
      try store(.text, ["0.1", "-12.3456", "12345678901234567890.12"]).0.stored("value", in: "box") == [
        "text '0.1'", "text '-12.3456'", "text '12345678901234567890.12'",
      ])
    let (extremes, target) = try store(.scaled(0), ["9223372036854775807", "-9223372036854775808"])
    #expect(try find(extremes, target) { $0.order(by: \.value) } == ["-9223372036854775808", "9223372036854775807"])
  }

  @Test func `a sum that does not fit is an error, never a rounded number`() throws {
    let sum = SearchCriteria<Box<Decimal?>>.all.project(.sum(\.value)).criteria
    let digits = String(repeating: "9", count: 38)
    for (storage, values) in [(AttributeType.DecimalStorage.text, [digits, "0.01"]), (.scaled(0), ["9223372036854775807", "1"])] {
      let (store, target) = try store(storage, values)
      #expect {
        _ = try store.store.report(in: target, sum) { try $0.next(Decimal?.self) }
      } throws: {
        if case DAOError.overflow = $0 { true } else { false }
      }
    }
  }
}
