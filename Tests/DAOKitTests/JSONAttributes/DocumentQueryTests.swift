import CriteriaTesting
import DAOKit
import Testing

/// Where values inside JSON may stand, what they become, and that memory answers alike.
@Suite("JSON attributes in criteria")
struct DocumentQueryTests {
  private let store: TestStore
  private let memory: DAOFactory
  private var parcels: RuntimeDAO<Parcel> { store.factory.runtimeDAO(Parcel.self) }

  init() throws { (store, memory) = (try .parcels(), try TestStore.parcelsInMemory()) }

  private static let select = #"SELECT "id", "the ""details""", "label", "depotID" FROM "parcel" "#

  /// Asserts what a filter becomes, the rows that it finds, and that its negation finds all others, in both stores.
  private func finds(
    _ filter: Filter<Parcel>, _ condition: String, _ bindings: [StoredValue], _ keys: [Int64],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try assertQuery(.where(filter), Self.select + "WHERE " + condition, bindings, finds: keys, in: store, sourceLocation: sourceLocation)
    for factory in [store.factory, memory] {
      let parcels = factory.runtimeDAO(Parcel.self)
      #expect(try parcels.findAllIDs(SearchCriteria.where(filter).order(by: \.id)) == keys, sourceLocation: sourceLocation)
      let others = try parcels.findAllIDs(SearchCriteria.where(!filter).order(by: \.id))
      #expect(others == (1...6).filter { !keys.contains($0) }, sourceLocation: sourceLocation)
    }
  }

  /// The document's column.
  private static let details = #""the ""details""""#

  @Test func `filters of each type, in which nil is nil`() throws {
    let details = Self.details
    try finds(
      .json(\.details, "city", as: String.self) == "Berlin", "dao_json(\(details), 'TEXT', ?) = ?", [.text("city"), .text("Berlin")],
      [1, 6])
    try finds(
      .json(\.details, "city", as: String.self) != "Berlin", "dao_json(\(details), 'TEXT', ?) IS NOT ?", [.text("city"), .text("Berlin")],
      [2, 3, 4, 5])
    try finds(.json(\.details, "city", as: String.self) == nil, "dao_json(\(details), 'TEXT', ?) IS NULL", [.text("city")], [4, 5])
    try finds(
      .json(\.details, "sizes", 0, as: Int.self) >= 2, "dao_json(\(details), 'INTEGER', ?, ?) >= ?",
      [.text("sizes"), .integer(0), .integer(2)], [1, 3, 6])
    try finds(
      .json(\.details, "weight", as: Double.self) < 2.5, "dao_json(\(details), 'REAL', ?) < ?", [.text("weight"), .real(2.5)], [2, 4])
    try finds(
      .json(\.details, "isFragile", as: Bool.self) == false, "dao_json(\(details), 'BOOLEAN', ?) = ?", [.text("isFragile"), .integer(0)],
      [3])
    try finds(
      .in(.json(\.details, "city", as: String.self), ["Köln", nil]),
      "dao_json(\(details), 'TEXT', ?1) IN (SELECT value FROM temp.json_each(?2)) OR dao_json(\(details), 'TEXT', ?1) IS NULL",
      [.text("city"), .text(#"["Köln"]"#)], [3, 4, 5])
    try finds(
      .beginsWith(.json(\.details, "city", as: String.self), "B"),
      "dao_json(\(details), 'TEXT', ?1) >= ?2 AND dao_json(\(details), 'TEXT', ?1) < ?3", [.text("city"), .text("B"), .text("C")], [1, 6])
  }

  @Test func `functions of them, and them beside attributes and each other`() throws {
    let details = Self.details
    try finds(
      .lower(.json(\.details, "city", as: String.self)) == "berlin", "dao_lower(dao_json(\(details), 'TEXT', ?)) = ?",
      [.text("city"), .text("berlin")], [1, 2, 6])
    try finds(
      .json(\.details, "sizes", 0, as: Int.self) > .json(\.details, "sizes", 1, as: Int.self),
      "dao_json(\(details), 'INTEGER', ?, ?) > dao_json(\(details), 'INTEGER', ?, ?)",
      [.text("sizes"), .integer(0), .text("sizes"), .integer(1)], [1])
    try finds(
      .json(\.details, "sizes", 0, as: Int64.self) == \.id, "dao_json(\(details), 'INTEGER', ?, ?) = \"id\"",
      [.text("sizes"), .integer(0)], [])
    #expect(try parcels.count(.where { $0.details.jsonValue("city", as: String.self).lowercased() == "berlin" }) == 3)
    #expect(try parcels.count(.where { $0.details.jsonValue("weight", as: Double.self).max() == 2.5 }) == 6)
  }

  @Test func `paths into any term that is JSON: a function's, an aggregate's, a relationship's, a value`() throws {
    let details = Self.details
    try finds(
      .json(.coalesce(\.details, Details(city: "Bonn")), "city", as: String.self) == "Bonn",
      "dao_json(coalesce(\(details), ?), 'TEXT', ?) = ?", [.text(#"{"city":"Bonn"}"#), .text("city"), .text("Bonn")], [5])
    try finds(
      .json(.max(\.details), "weight", as: Double.self) == 0.5,
      "dao_json((SELECT MAX(\(details)) FROM \"parcel\"), 'REAL', ?) = ?", [.text("weight"), .real(0.5)], [1, 2, 3, 4, 5, 6])
    #expect(
      try parcels.findAllIDs(.where { $0.details.coalesce(Details(city: "Bonn")).jsonValue("city", as: String.self) == "Bonn" }) == [5])
    let field = Criteria.Term.field(FieldPath("details"))
    for factory in [store.factory, memory] {
      let (parcels, depots) = (factory.runtimeDAO(Parcel.self), factory.runtimeDAO(Depot.self))
      let ofParcels = Criteria.Term.json(.related(.max, FieldPath("parcels"), field, .constant(true)), ["city"], as: .text)
      #expect(try depots.findAllIDs(.where(Filter(.compare(ofParcels, .equal, .value("berlin"))))) == [1])
      let value = Criteria.Term.json(.value(.text(#"{"a":[7]}"#)), ["a", 0], as: .integer)
      #expect(try parcels.count(.where(Filter(.compare(value, .equal, .value(7))))) == 6)
      #expect(try parcels.count(.where(Filter(.isNull(.json(.value(.null), ["a"], as: .text))))) == 6)
      let groups = SearchCriteria<Parcel>.all.project(
        .group(by: \.depotID), .json(.min(\.details), "city", as: String.self).named("city"))
      #expect(try parcels.dictionaries(groups).count == 3)
      #expect(problems { _ = try parcels.count(.where(Filter(.isNull(.json(.value(7), ["a"], as: .text))))) } == ["expects JSON, not 7"])
    }
  }

  @Test func `through relationships, within quantifiers and of related rows`() throws {
    try finds(
      .json(\.depot.details, "city", as: String.self) == "Hamburg",
      #""depotID" IN (SELECT "t1"."id" FROM "depot" AS "t1" WHERE dao_json("t1"."details", 'TEXT', ?) = ?)"#,
      [.text("city"), .text("Hamburg")],
      [1, 2])
    try finds(
      .json(\.depot.details, "city", as: String.self) != "Hamburg",
      #""depotID" NOT IN (SELECT "t1"."id" FROM "depot" AS "t1" WHERE dao_json("t1"."details", 'TEXT', ?) = ?) OR "depotID" IS NULL"#,
      [.text("city"), .text("Hamburg")], [3, 4, 5, 6])
    for factory in [store.factory, memory] {
      let (parcels, depots) = (factory.runtimeDAO(Parcel.self), factory.runtimeDAO(Depot.self))
      let keys = SearchCriteria<Depot>.all.order(by: \.id)
      #expect(try depots.findAllIDs(keys.filter(.any(\.parcels, .json(\.details, "city", as: String.self) == "Köln"))) == [2])
      #expect(try depots.findAllIDs(keys.filter(.all(\.parcels, .json(\.details, "isFragile", as: Bool.self) != false))) == [1])
      let heaviest = Criteria.Term.related(
        .max, FieldPath("parcels"), .json(.field(FieldPath("details")), ["weight"], as: .real), .constant(true))
      #expect(try depots.findAllIDs(keys.filter(Filter(.compare(heaviest, .equal, .value(2.5))))) == [1])
      let order = Order<Parcel>.descending(.json(\.depot.details, "city", as: String.self))
      #expect(try parcels.findAllIDs(.all.order(by: order, .ascending(\.id))) == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test func `orders, and pages that go on from a place`() throws {
    let criteria = SearchCriteria<Parcel>.all.order(
      by: .descending(.json(\.details, "city", as: String.self)), .ascending(.json(\.details, "weight", as: Double.self), nulls: .last),
      .ascending(\.id))
    try assertQuery(
      criteria,
      Self.select
        + #"""
        ORDER BY dao_json(\#(Self.details), 'TEXT', ?) DESC NULLS LAST, \#
        dao_json(\#(Self.details), 'REAL', ?) ASC NULLS LAST, \#
        "id" ASC NULLS FIRST
        """#,
      [.text("city"), .text("weight")], finds: [2, 3, 1, 6, 4, 5], in: store)
    for factory in [store.factory, memory] {
      for size in 1...4 {
        var (found, token): ([Int64?], PageToken?) = ([], nil)
        repeat {
          let page = try factory.runtimeDAO(Parcel.self).page(criteria, size: size, after: token)
          found += page.items.map(\.id)
          token = try page.next.map { try PageToken($0.text) }
        } while token != nil
        #expect(found == [2, 3, 1, 6, 4, 5])
      }
    }
    // The path is part of what a token belongs to.
    let token = try #require(try parcels.page(criteria, size: 2).next)
    let other = SearchCriteria<Parcel>.all.order(
      by: .descending(.json(\.details, "city", as: String.self)), .ascending(.json(\.details, "Weight", as: Double.self), nulls: .last),
      .ascending(\.id))
    #expect { try parcels.page(other, size: 2, after: token) } throws: {
      if case DAOError.pageToken(.otherCriteria) = $0 { true } else { false }
    }
  }

  @Test func `reports, groups and distinct rows, with names that tell paths apart`() throws {
    let groups = SearchCriteria<Parcel>.all
      .project(.group(by: .json(\.details, "city", as: String.self)), .count)
      .having(.count > 1).order(by: .ascending(.json(\.details, "city", as: String.self)))
    let columns = SearchCriteria<Parcel>.where(\.id == 1).project(
      .json(\.details, "sizes", 0, as: Int.self), .json(\.details, "sizes", 1, as: Int.self),
      .json(\.details, "isFragile", as: Bool.self))
    for factory in [store.factory, memory] {
      let parcels = factory.runtimeDAO(Parcel.self)
      #expect(
        try parcels.dictionaries(groups) == [
          ["jsonText:details.city": .null, "count": 2], ["jsonText:details.city": "Berlin", "count": 2],
        ])
      #expect(
        try parcels.dictionaries(columns) == [
          ["jsonInteger:details.sizes.0": 3, "jsonInteger:details.sizes.1": 1, "jsonBool:details.isFragile": true]
        ])
      let cities: [String?] = try parcels.project(
        .json(\.details, "city", as: String.self),
        matching: SearchCriteria.all.distinct().order(by: .ascending(.json(\.details, "city", as: String.self))))
      #expect(cities == [nil, "Berlin", "Köln", "berlin"])
    }
  }

  @Test func `another attribute takes the value`() throws {
    for factory in [store.factory, memory] {
      let parcels = factory.runtimeDAO(Parcel.self)
      try parcels.update(.where(\.id < 5), set: .set(\.label, to: .json(\.details, "city", as: String.self)))
      #expect(try parcels.findAll(.all.order(by: \.id)).map(\.label) == ["Berlin", "berlin", "Köln", nil, nil, nil])
    }
  }

  @Test func `by name, of entities without a type`() throws {
    for factory in [store.factory, memory] {
      let parcels = try factory.runtimeDAO("parcel")
      let attribute = parcels.entity.attributes[1].name
      let criteria = SearchCriteria<DynamicEntity>.where(.json(attribute, "sizes", 1, as: Int.self) == 1)
        .order(by: .descending(.json(attribute, "city", as: String.self)))
      #expect(try parcels.findAllIDs(criteria) == [[2], [1]])
    }
  }

  @Test func `one statement serves all paths of as many steps`() throws {
    let statements = try store.trace.during {
      for city in ["city", "town"] { _ = try parcels.findAll(.where(.json(\.details, city, as: String.self) == "Köln")) }
      _ = try parcels.findAll(.where(.json(\.details, "city", as: Int.self) == 1))
    }
    #expect(statements.texts.count == 3 && Set(statements.texts).count == 2, "\(statements.texts)")
  }

  @Test func `no index is missed where none can help`() throws {
    let plan = try parcels.explain(
      .where(.json(\.details, "city", as: String.self) == "x").order(by: .ascending(.json(\.details, "weight", as: Double.self))))
    #expect(plan.missingIndexes.isEmpty, "\(plan)")
    let through = try parcels.explain(.where(.json(\.depot.details, "city", as: String.self) == "x"))
    #expect(through.missingIndexes.allSatisfy { !$0.sql.contains("details") }, "\(through)")
  }
}
