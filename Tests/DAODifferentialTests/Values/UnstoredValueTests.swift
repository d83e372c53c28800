import DAOKit
import Foundation
import TestCases
import Testing

@testable import DAOCriteria
@testable import DAOSQL

/// Functions that may fail of a value that the criteria ask for, and that no row has. SQLite puts the value of `x = ?` in the place of
/// `x` in the other conditions beside it.
struct UnstoredValueTests {
  private static let attributes: [Attribute] = [
    Attribute("id", .integer), Attribute("number", .integer, optional: true), Attribute("price", .decimal(.scaled(2)), optional: true),
    Attribute("any", .any, optional: true), Attribute("real", .real, optional: true), Attribute("boxID", .integer, optional: true),
    Attribute("name", .text), Attribute("rank", .integer, optional: true),
  ]
  private static let item: EntityDescription = EntityDescription(
    "item", key: .generated("id"), attributes: attributes, indexes: [Index(on: "number"), Index(on: "price")],
    relationships: [.toOne("box", box, by: "boxID")])
  private static let box: EntityDescription = EntityDescription(
    "box", key: .generated("id"), attributes: [Attribute("id", .integer)], relationships: [.toMany("items", item, by: "boxID")])

  private static let least: [(attribute: String, value: Scalar)] = [
    ("id", .integer(.min)), ("number", .integer(.min)), ("any", .integer(.min)), ("real", .real(-0x1p63)),
    ("price", Decimal(string: "-92233720368547758.08").map { .decimal($0) } ?? .null),
  ]

  private func store(_ which: Both) throws -> any EntityStore {
    let store = try which.store(for: [Self.box, Self.item])
    _ = try store.insert([DynamicEntity(Self.box, [:])], in: EntityTarget(Self.box))
    let rows: [[String: Scalar]] = [
      ["number": 5, "price": 5, "any": 5, "real": 5.0, "boxID": 1, "name": "a", "rank": 5],
      ["number": -7, "boxID": 1, "name": "b", "rank": -7], ["name": "c"],
    ]
    _ = try store.insert(rows.map { try DynamicEntity(Self.item, $0) }, in: EntityTarget(Self.item))
    return store
  }

  private static func field(_ name: String) -> Criteria.Term { .field(FieldPath(name)) }

  /// Conditions that fail of a value of an attribute.
  private static func failing(of attribute: String) -> [Criteria.Condition] {
    let x = field(attribute)
    return [x, .function(.coalesce, [x, x]), .function(.coalesce, attribute == "price" ? [x, .value(0)] : [field("boxID"), x])].flatMap {
      inner -> [Criteria.Condition] in
      let abs = Criteria.Term.function(.abs, [inner])
      return [
        .compare(abs, .greaterOrEqual, .value(0)), .compare(.value(0), .lessOrEqual, abs), .compare(abs, .notEqual, x),
        .not(.isNull(abs)), .among(abs, [.integer(5), .null]), .between(abs, .value(0), .value(9)),
        .any([.compare(abs, .equal, .value(5)), .isNull(abs)]),
        .compare(.related(.count, FieldPath("box.items"), nil, .compare(abs, .greater, .value(0))), .greaterOrEqual, .value(0)),
      ]
    }
  }

  @Test(arguments: Both.allCases, TestCases.some(least.indices, every: 4))
  func `no function fails of a value that is asked for and that no row has`(which: Both, number: Int) throws {
    let (store, (attribute, value)) = (try store(which), Self.least[number])
    for isEqual in [
      Criteria.Condition.compare(Self.field(attribute), .equal, .value(value)), .compare(.value(value), .equal, Self.field(attribute)),
    ] {
      for failing in Self.failing(of: attribute) {
        for parts in [[failing, isEqual], [isEqual, failing]] {
          #expect(try store.keys(.all(parts), of: Self.item) == [])
          #expect(try store.keys(.some(FieldPath("items"), .all(parts)), of: Self.box) == [])
          #expect(try store.keys(.compare(.related(.count, FieldPath("items"), nil, .all(parts)), .equal, .value(0)), of: Self.box) == [1])
          let target = EntityTarget(Self.item, scope: parts[0])
          var criteria = Criteria()
          criteria.filter = parts[1]
          #expect(try store.count(in: target, criteria) == 0)
          #expect(try !store.exists(in: target, criteria))
          #expect(try store.update(in: target, criteria, set: [Criteria.Change(Self.field("name"), .value("x"))]) == 0)
          #expect(try store.delete(in: target, criteria) == 0)
          criteria.columns = [
            Criteria.Column(Self.field("name")),
            Criteria.Column(.related(.count, FieldPath("box.items"), nil, .all(parts)), name: "count"),
          ]
          criteria.orders = [Criteria.Ordering(.related(.count, FieldPath("box.items"), nil, .all(parts)))]
          #expect(try store.report(in: target, criteria) { try $0.takeScalar() } == [])
        }
      }
    }
  }

  /// What is no condition of the filter is not in its way: a key that is looked for, and the place that a page goes on from. SQLite would
  /// find the place first where it has an index, and only without one work the scope out for it.
  @Test(arguments: Both.allCases, ["number", "any", "rank"]) func `no scope fails of a key that no row has, or of a place`(
    which: Both, name: String
  ) throws {
    let store = try store(which)
    let key = EntityTarget(Self.item, scope: .compare(.function(.abs, [Self.field("id")]), .greater, .value(0)))
    #expect { try store.find(DynamicEntity.self, in: key, key: [.integer(.min)]) } throws: {
      if case DAOError.notFound = $0 { true } else { false }
    }
    let number = EntityTarget(Self.item, scope: .compare(.function(.abs, [Self.field(name)]), .greater, .value(0)))
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(Self.field(name)), Criteria.Ordering(Self.field("id"))]
    criteria.after = [.integer(.min), .integer(0)]
    let expected: [[Scalar]] = name == "any" ? [[1]] : [[2], [1]]
    #expect(try store.findKeys(DynamicEntity.self, in: number, criteria) == expected)
  }

  /// A key of texts may be null in SQLite, and no key that is asked for is.
  @Test func `a null key is that of no row in a scope with abs either`() throws {
    let engine = try SQLiteEngine(inMemory: { db in
      try db.execute(
        sql: """
          CREATE TABLE word (code TEXT PRIMARY KEY, n INTEGER NOT NULL);
          INSERT INTO word VALUES (NULL, 5), (NULL, 7), ('a', 1)
          """)
    })
    let store = EngineStore(engine)
    let word = try DAOFactory(over: store).runtimeDAO("word").entity
    let target = EntityTarget(word, scope: .compare(.function(.abs, [Self.field("n")]), .greater, .value(0)))
    #expect(try store.delete(DynamicEntity.self, keys: [[.null]], in: target) == 0)
    #expect { try store.find(DynamicEntity.self, in: target, key: [.null]) } throws: {
      if case DAOError.notFound = $0 { true } else { false }
    }
    #expect { try store.update([DynamicEntity(word, ["code": .null, "n": 9])], in: target) } throws: {
      if case DAOError.notFound = $0 { true } else { false }
    }
    #expect(try store.count(in: EntityTarget(word), Criteria()) == 3)
  }

  @Test func `an index still finds what is asked for`() throws {
    let store = try Stores.sqlite(for: [Self.box, Self.item])
    var criteria = Criteria()
    criteria.filter = .all([
      .compare(.function(.abs, [Self.field("number")]), .greater, .value(0)), .compare(Self.field("number"), .equal, .value(5)),
    ])
    let plan = try store.explain(.keys, criteria, in: EntityTarget(Self.item))
    #expect("\(plan)".contains("number=?"), "\(plan)")
  }
}
