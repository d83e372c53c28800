import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Dynamic entities")
struct DynamicEntityTests {
  static let schema = """
    CREATE TABLE thing (
      id INTEGER PRIMARY KEY, flag BOOLEAN NOT NULL, at DATETIME_TEXT, seconds DATETIME_SECONDS, millis DATETIME_MILLISECONDS,
      uuid UUID_BLOB, uuidText UUID_TEXT, price DECIMAL_INTEGER(2), exact DECIMAL_TEXT, json JSON_TEXT, name VARCHAR(20) DEFAULT 'x',
      ratio DOUBLE, bytes BLOB, other WHATEVER, small SMALLINT);
    CREATE VIEW flagged AS SELECT id, name FROM thing WHERE flag;
    CREATE TABLE pair (a TEXT NOT NULL, b INTEGER NOT NULL, c TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID;
    CREATE TABLE plain (a TEXT);
    """

  let store: TestStore
  init() throws { store = try TestStore([], sql: Self.schema) }

  @Test func `the description is read from the schema, by the declared type names`() throws {
    let entity = try store.factory.runtimeDAO("thing").entity
    #expect(entity.key == .generated("id"))
    #expect(
      entity.attributes.map(\.type) == [
        .integer, .bool, .date(.iso8601), .date(.unixSeconds), .date(.unixMilliseconds), .uuid(.blob), .uuid(.text), .decimal(.scaled(2)),
        .decimal(.text), .json, .text, .real, .data, .any, .integer,
      ])
    #expect(entity["flag"]?.isOptional == false && entity["at"]?.isOptional == true && entity["name"]?.defaultValue == "x")
    #expect(try store.factory.runtimeDAO("pair").entity.key == .assigned(["b", "a"]))
    #expect(try store.factory.runtimeDAO("flagged").entity.isReadOnly)
  }

  @Test func `rows come by attribute name, each value as its declared type has it`() throws {
    let dao = try store.factory.runtimeDAO("thing")
    let (date, uuid) = (Date(timeIntervalSince1970: 1.5), UUID())
    let values: [String: Scalar] = [
      "flag": true, "at": .date(date), "seconds": .date(date), "millis": .date(date), "uuid": .uuid(uuid), "uuidText": .uuid(uuid),
      "price": .decimal(1.25), "exact": .decimal(0.1), "json": "{}", "name": "n", "ratio": 0.5, "bytes": .data(Data([1])), "other": 7,
      "small": 3,
    ]
    let saved = try dao.insert(dao.make(values))
    #expect(saved["id"] == 1)
    let found = try dao.find(1)
    #expect(found == saved && found.flag == true && found["nothing"] == nil)
    for (name, value) in values { #expect(found[name] == value, "\(name)") }
    #expect(
      try store.stored("price", in: "thing") == ["integer 125"] && store.stored("at", in: "thing") == ["text '1970-01-01T00:00:01.500Z'"])
    #expect(try dao.findAll(.where { $0.price > .decimal(1) && $0.at == .date(date) && $0.flag == true }).count == 1)
    #expect(
      try dao.dictionaries(.all.project(.aggregate(.sum, "exact"), .aggregate(.max, "price"))) == [
        ["sum:exact": .decimal(0.1), "max:price": .decimal(1.25)]
      ])
    #expect(try dao.insert(dao.make(["flag": false]))["name"] == "x")
  }

  @Test func `an unknown declared type yields the storage class of each row`() throws {
    let dao = try store.factory.runtimeDAO("thing")
    try dao.execute("INSERT INTO thing (flag, other) VALUES (1, 5), (1, 2.5), (1, 'x'), (1, x'01'), (1, NULL)")
    #expect(try dao.findAll(.all.order(by: .ascending(.field("id")))).map { $0["other"] } == [5, 2.5, "x", .data(Data([1])), .null])
  }

  @Test func `criteria, changes, composite keys and views work as for types`() throws {
    let pairs = try store.factory.runtimeDAO("pair")
    try pairs.insert([pairs.make(["a": "x", "b": 1]), pairs.make(["a": "y", "b": 1, "c": "z"]), pairs.make(["a": "x", "b": 2])])
    #expect(try pairs.find([1, "y"])["c"] == "z" && pairs.findAllIDs(.where(.field("c") == nil)) == [[1, "x"], [2, "x"]])
    var pair = try pairs.find([2, "x"])
    pair["c"] = "new"
    #expect(try pairs.upsert(pair).outcome == .updated && pairs.refresh(pair)["c"] == "new")
    #expect(try pairs.update(.where(.field("b") == 1), set: .set("c", to: .null)) == 2)
    #expect(try pairs.page(size: 2).items.map { $0["a"] } == ["x", "y"])
    #expect(try pairs.delete([[1, "x"], [9, "x"]]) == 1 && pairs.count() == 2)
    let things = try store.factory.runtimeDAO("thing")
    try things.insert([things.make(["flag": true, "name": "a"]), things.make(["flag": false, "name": "b"])])
    let flagged = try store.factory.runtimeDAO("flagged")
    #expect(try flagged.findAll().map { $0["name"] } == ["a"])
    #expect(readOnly { try flagged.delete(.where(.field("id") == 1)) } == "flagged")
    let plain = try store.factory.runtimeDAO("plain")
    let row = try plain.insert(plain.make(["a": "r"]))
    #expect(try plain.find(1)["a"] == "r" && plain.delete(row.primaryKey ?? []))
  }

  @Test func `a type and the dynamic entity give the same rows and the same SQL`() throws {
    let store = try TestStore.zones()
    let dynamic = try store.factory.runtimeDAO("zone")
    let typed = try store.trace.during { try store.zones.findAll(.where(\.offset > 0).order(by: \.name)) }
    let untyped = try store.trace.during { try dynamic.findAll(.where(.field("offset") > 0).order(by: .ascending(.field("name")))) }
    #expect(typed.expanded == untyped.expanded)
    #expect(
      typed.result.map { [.integer($0.id ?? 0), .text($0.name), .integer(Int64($0.offset)), $0.comment.map { .text($0) } ?? .null] }
        == untyped.result.map(\.values))
    #expect(try store.factory.read { try $0.runtimeDAO("zone").count() } == 6)
  }

  @Test(arguments: [("thin", "thing"), ("pairs", "pair"), ("zzzzzz", nil)] as [(String, String?)])
  func `an unknown entity is an error with all there are and the nearest`(_ name: String, _ nearest: String?) throws {
    for call in [
      { _ = try store.factory.runtimeDAO(name) }, { try store.factory.read { _ = try $0.runtimeDAO(name) } },
    ] as [() throws -> Void] {
      #expect {
        try call()
      } throws: {
        guard case DAOError.unknownEntity(name, ["flagged", "pair", "plain", "thing"], nearest) = $0 else { return false }
        return "\($0)".contains("There are: flagged, pair, plain, thing") && (nearest == nil || "\($0)".contains("did you mean"))
      }
    }
  }

  @Test func `names that the entity does not have are an error with the nearest, all together`() throws {
    let dao = try store.factory.runtimeDAO("thing")
    #expect(
      problems { _ = try dao.make(["nme": 1, "flg": true]) } == [
        "flg: thing has no attribute 'flg'; did you mean 'flag'?", "nme: thing has no attribute 'nme'; did you mean 'name'?",
      ])
    #expect(problems { _ = try dao.findAll(.where { $0.nme == "x" && $0.flag == 1 }) }.count == 2)
  }

  @Test func `a value of the wrong type is refused, and names the attribute`() throws {
    let dao = try store.factory.runtimeDAO("thing")
    for (name, value) in ["flag": 1, "at": "soon", "price": 0.5, "small": "1", "bytes": "x", "uuid": "x"] as [String: Scalar] {
      #expect {
        try dao.insert(dao.make(["flag": true].merging([name: value]) { $1 }))
      } throws: {
        if case DAOError.invalidValue("thing", name, _) = $0 { true } else { false }
      }
    }
    #expect(try dao.count() == 0)
  }

  @Test func `a key with too few or too many values is refused`() throws {
    let pairs = try store.factory.runtimeDAO("pair")
    try pairs.insert(pairs.make(["a": "x", "b": 1]))
    for key in [[], [1], [1, "x", "y"]] as [[Scalar]] {
      for call in [
        { _ = try pairs.find(key) }, { _ = try pairs.find([key]) }, { _ = try pairs.delete([key]) }, { _ = try pairs.exists(key) },
      ] as [() throws -> Void] {
        #expect {
          try call()
        } throws: {
          if case DAOError.invalidValue("pair", _, _) = $0 { true } else { false }
        }
      }
    }
    #expect(try pairs.count() == 1)
  }

  @Test func `a table that comes into being later is found, and one that changed is read again`() throws {
    try store.zonesMissing()
    _ = try store.store.execute("CREATE TABLE later (id INTEGER PRIMARY KEY, a TEXT)")
    let before = try store.factory.runtimeDAO("later")
    try before.insert(before.make(["a": "x"]))
    _ = try store.store.execute("ALTER TABLE later ADD COLUMN b INTEGER DEFAULT 4")
    #expect(try store.factory.runtimeDAO("later").find(1)["b"] == 4)
    #expect(try before.find(1)["a"] == "x")
  }

  @Test func `a view that was made anew is read again`() throws {
    for columns in [["a"], ["a", "b"], ["b"]] {
      _ = try store.store.execute("DROP VIEW IF EXISTS later")
      _ = try store.store.execute(SQL(stringLiteral: "CREATE VIEW later AS SELECT \(columns.map { "1 AS \($0)" }.joined(separator: ", "))"))
      #expect(try store.factory.runtimeDAO("later").entity.attributes.map(\.name) == columns)
    }
  }
}

extension TestStore {
  fileprivate func zonesMissing() throws {
    #expect(throws: DAOError.self) { try factory.runtimeDAO("later") }
  }
}
