import DAOKit
import Testing

/// Answers that can be worked out by hand, of both stores: what `FuzzTests` compare is no answer where both are wrong.
struct KnownAnswerTests {
  private static let row: EntityDescription = EntityDescription(
    "row", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("value", .any, optional: true), Attribute("upID", .integer, optional: true),
    ], relationships: [.toOne("up", row, by: "upID", onDelete: .deny), .toMany("downs", row, by: "upID")])
  private static let value = Criteria.Term.field(FieldPath("value"))
  private static let target = EntityTarget(row)

  private func store(_ which: Both) throws -> any EntityStore {
    let store = try which.store(for: [Self.row])
    let rows: [[String: Scalar]] = [["value": .null], ["value": 1, "upID": 1], ["value": 2, "upID": 1], ["value": 1.0, "upID": 2]]
    _ = try store.insert(rows.map { try DynamicEntity(Self.row, $0) }, in: Self.target)
    return store
  }

  private func keys(_ store: any EntityStore, _ change: (inout Criteria) -> Void) throws -> [Scalar?] {
    var criteria = Criteria()
    change(&criteria)
    return try store.findKeys(DynamicEntity.self, in: Self.target, criteria).map(\.first)
  }

  @Test(arguments: Both.allCases)
  func `nulls in filters and orders`(which: Both) throws {
    let store = try store(which)
    #expect(try store.keys(.compare(Self.value, .equal, .value(1)), of: Self.row) == [2, 4])
    #expect(try store.keys(.compare(Self.value, .notEqual, .value(1)), of: Self.row) == [1, 3])
    #expect(try store.keys(.compare(Self.value, .less, .value(9)), of: Self.row) == [2, 3, 4])
    #expect(try store.keys(.not(.compare(Self.value, .less, .value(2))), of: Self.row) == [1, 3])
    let id = Criteria.Ordering(.field(FieldPath("id")))
    #expect(try keys(store) { $0.orders = [Criteria.Ordering(Self.value, .ascending, nulls: .last), id] } == [2, 4, 3, 1])
    #expect(try keys(store) { $0.orders = [Criteria.Ordering(Self.value, .descending, nulls: .first), id] } == [1, 3, 2, 4])
  }

  @Test(arguments: Both.allCases)
  func `limits, offsets and pages, forward and backward`(which: Both) throws {
    let store = try store(which)
    #expect(try keys(store) { ($0.limit, $0.offset) = (2, 1) } == [2, 3])
    let rows = DAOFactory(over: store).runtimeDAO(Self.row)
    for (order, all) in [
      (Criteria.Ordering(Self.value, .ascending, nulls: .last), [2, 4, 3, 1]),
      (Criteria.Ordering(Self.value, .descending, nulls: .last), [3, 4, 2, 1]),
      (Criteria.Ordering(Self.value, .descending, nulls: .first), [1, 3, 4, 2]),
    ] as [(Criteria.Ordering, [Scalar])] {
      var criteria = Criteria()
      criteria.orders = [order]
      let search = SearchCriteria<DynamicEntity>(criteria)
      let first = try rows.page(search, size: 2)
      let second = try rows.page(search, size: 2, after: first.next)
      #expect((first.items + second.items).map { $0["id"] } == all && !second.hasNext)
      let last = try rows.page(search, size: 2, before: nil)
      #expect(try last.items == second.items && rows.page(search, size: 2, before: last.previous).items == first.items)
    }
  }

  @Test(arguments: Both.allCases)
  func `numbers that are equal are one, and so is a row that two ways lead to`(which: Both) throws {
    let store = try store(which)
    var criteria = Criteria()
    criteria.columns = [Criteria.Column(.aggregate(.countDistinct, Self.value))]
    #expect(try store.report(in: Self.target, criteria) { try $0.takeScalar() } == [2])
    let ups = Criteria.Term.related(.count, FieldPath("downs.up"), nil, .constant(true))
    #expect(try store.keys(.compare(ups, .equal, .value(1)), of: Self.row) == [1, 2])
  }

  @Test(arguments: Both.allCases)
  func `where one of several can't be deleted, none is`(which: Both) throws {
    let store = try store(which)
    #expect(throws: DAOError.self) { try store.delete(DynamicEntity.self, keys: [[3], [1]], in: Self.target) }
    #expect(try store.count(in: Self.target, Criteria()) == 4)
  }

  /// By the index, the second row would take what the first still has.
  @Test(arguments: Both.allCases)
  func `an update that moves unique values goes by the key`(which: Both) throws {
    let seat = EntityDescription(
      "seat", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("number", .integer), Attribute("next", .integer)],
      indexes: [Index(on: "number", unique: true)])
    let (store, target) = (try which.store(for: [seat]), EntityTarget(seat))
    let rows: [[String: Scalar]] = [["number": 2, "next": 3], ["number": 1, "next": 2]]
    _ = try store.insert(rows.map { try DynamicEntity(seat, $0) }, in: target)
    var criteria = Criteria()
    let (number, next) = (Criteria.Term.field(FieldPath("number")), Criteria.Term.field(FieldPath("next")))
    criteria.filter = .compare(number, .greater, .value(0))
    #expect(try store.update(in: target, criteria, set: [Criteria.Change(number, next)]) == 2)
    #expect(try store.keys(.compare(number, .equal, next), of: seat) == [1, 2])
  }
}
