import DAODifferential
import DAOKit
import Testing

/// Pairs of a text and a number that rows are known by. SQLite gives a value its neighbour's affinity where it looks for a pair in an index
/// that has the columns in the other order.
struct PairTests {
  private static let place: EntityDescription = EntityDescription(
    "place", key: .assigned(["code", "number"]),
    attributes: [Attribute("code", .text), Attribute("number", .integer), Attribute("size", .real)],
    indexes: [Index(on: "number", "code")],
    relationships: [
      Relationship("visits", .toMany(by: ["placeCode", "placeNumber"]), referenced: ["code", "number"]) { visit }
    ])
  private static let visit: EntityDescription = EntityDescription(
    "visit", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("placeCode", .text), Attribute("placeNumber", .integer), Attribute("length", .real),
    ],
    indexes: [Index(on: "placeNumber", "placeCode")],
    relationships: [
      Relationship("place", .toOne(by: ["placeCode", "placeNumber"], onDelete: .deny), referenced: ["code", "number"]) { place }
    ])

  private static let abs = Criteria.Term.function(.abs, [.field(FieldPath("length"))])

  /// What is asked of places, and the numbers of those that it finds.
  private static let questions: [(String, Criteria.Condition, [Int64])] = [
    ("any", .some(FieldPath("visits"), .constant(true)), [1, 2]),
    ("none", .not(.some(FieldPath("visits"), .constant(true))), [3, 4]),
    (
      "any or another", .any([.some(FieldPath("visits"), .constant(true)), .compare(.field(FieldPath("size")), .equal, .value(4.0))]),
      [1, 2, 4]
    ),
    ("what may fail", .some(FieldPath("visits"), .compare(abs, .less, .value(9.0))), [1, 2]),
    ("none of what may fail", .not(.some(FieldPath("visits"), .compare(abs, .less, .value(9.0)))), [3, 4]),
    ("a count", .compare(.related(.count, FieldPath("visits"), nil, .compare(abs, .less, .value(9.0))), .equal, .value(1)), [1, 2]),
    ("there and back", .some(FieldPath("visits"), .some(FieldPath("place"), .constant(true))), [1, 2]),
    ("there and not back", .some(FieldPath("visits"), .not(.some(FieldPath("place"), .constant(true)))), []),
    ("a sum", .compare(.related(.sum, FieldPath("visits"), .field(FieldPath("length")), .constant(true)), .equal, .value(0.5)), [1, 2]),
  ]

  @Test(arguments: Both.allCases, questions.indices)
  func `pairs are found in an index that has them the other way round`(which: Both, number: Int) throws {
    let store = try which.store(for: [Self.place, Self.visit])
    let places: [(code: Scalar, number: Scalar)] = [("012", 1), ("k", 2), ("1e1", 3), ("5", 4)]
    for (code, number) in places {
      _ = try store.insert(
        [DynamicEntity(Self.place, ["code": code, "number": number, "size": .real(number == 4 ? 4 : 1)])], in: EntityTarget(Self.place))
    }
    for (code, number) in places.prefix(2) {
      _ = try store.insert(
        [DynamicEntity(Self.visit, ["placeCode": code, "placeNumber": number, "length": 0.5])], in: EntityTarget(Self.visit))
    }
    let (name, filter, numbers) = Self.questions[number]
    var criteria = Criteria()
    criteria.filter = filter
    criteria.orders = [Criteria.Ordering(.field(FieldPath("number")))]
    let found = try store.find(DynamicEntity.self, in: EntityTarget(Self.place), criteria).map { $0["number"] ?? .null }
    #expect(found == numbers.map { .integer($0) }, "\(name)")
  }

  /// Where the description has no index of the pair, it is looked for in a list; the store may have an index all the same.
  @Test func `pairs are found in an index that only the store has`() throws {
    let schema = """
      CREATE TABLE place (code TEXT NOT NULL, number INTEGER NOT NULL, size REAL NOT NULL, PRIMARY KEY (code, number));
      CREATE TABLE visit (id INTEGER PRIMARY KEY, placeCode TEXT NOT NULL, placeNumber INTEGER NOT NULL, length REAL NOT NULL);
      CREATE INDEX "own index" ON visit (placeNumber, placeCode);
      CREATE INDEX "place index" ON place (number, code);
      INSERT INTO place VALUES ('012', 1, 1), ('k', 2, 1), ('1e1', 3, 1), ('5', 4, 4);
      INSERT INTO visit VALUES (1, '012', 1, 0.5), (2, 'k', 2, 0.5); ANALYZE
      """
    let visit = EntityDescription("visit", key: .generated("id"), attributes: Self.visit.attributes)
    let place = EntityDescription(
      "place", key: .assigned(["code", "number"]), attributes: Self.place.attributes,
      relationships: [
        Relationship("visits", .toMany(by: ["placeCode", "placeNumber"]), referenced: ["code", "number"]) { visit }
      ])
    let store = EngineStore(try SQLiteEngine(inMemory: { try $0.execute(sql: schema) }))
    func numbers(_ filter: Criteria.Condition) throws -> [Scalar] {
      var criteria = Criteria()
      criteria.filter = filter
      criteria.orders = [Criteria.Ordering(.field(FieldPath("number")))]
      return try store.find(DynamicEntity.self, in: EntityTarget(place), criteria).map { $0["number"] ?? .null }
    }
    let visited = Criteria.Condition.some(FieldPath("visits"), .constant(true))
    #expect(try numbers(visited) == [1, 2])
    #expect(try numbers(.not(visited)) == [3, 4])
    // All rows, though the condition looks at others.
    var all = Criteria()
    all.filter = .not(.some(FieldPath("visits"), .among(.field(FieldPath("id")), [])))
    #expect(try store.update(in: EntityTarget(place), all, set: [Criteria.Change(.field(FieldPath("size")), .value(7.0))]) == 4)
    #expect(try store.delete(in: EntityTarget(place), all) == 4)
  }
}
