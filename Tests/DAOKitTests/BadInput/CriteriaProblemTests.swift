import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Criteria that do not fit")
struct CriteriaProblemTests {
  let store: TestStore
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws { store = try .zones() }

  /// Asserts the problems of a filter, with no statement sent.
  func refused(_ filter: Filter<Zone>, _ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    let sent = try store.trace.during { () throws in
      #expect(problems { _ = try zones.findAll(.where(filter)) } == expected, sourceLocation: sourceLocation)
      #expect(problems { _ = try zones.count(.where(!filter)) } == expected, sourceLocation: sourceLocation)
      #expect(problems { _ = try zones.delete(.where(filter)) } == expected, sourceLocation: sourceLocation)
      #expect(problems { _ = try SearchCriteria.where(filter).sql() } == expected, sourceLocation: sourceLocation)
    }
    #expect(sent.texts == [], sourceLocation: sourceLocation)
  }

  @Test func `distinct and having without projections, whatever is asked, on SQLite and in memory`() throws {
    let memory = try DAOFactory(store: .evaluator, entities: Zone.self)
    let distinct = "distinct needs projections, as no two rows are equal; use project"
    let having = "having needs projections to group by"
    for (isMemory, zones) in [(false, zones), (true, memory.runtimeDAO(Zone.self))] {
      for (criteria, expected) in [
        (SearchCriteria<Zone>.all.distinct(), [distinct]), (.all.having(.count > 1), [having]),
        (.where { $0.offset > 1 }.distinct().having { $0.offset > 2 }, [distinct, having]),
      ] {
        let calls: [() throws -> Void] = [
          { _ = try zones.findAll(criteria) }, { _ = try zones.findAllIDs(criteria) }, { _ = try zones.findFirst(criteria) },
          { _ = try zones.count(criteria) }, { _ = try zones.exists(criteria) }, { _ = try zones.page(criteria, size: 2) },
          { try zones.withCursor(criteria) { _ = try $0.next() } }, { try zones.delete(criteria, allowUnfiltered: true) },
          { try zones.update(criteria, set: .set(\.offset, to: 1), allowUnfiltered: true) },
        ]
        for (number, call) in calls.enumerated() { #expect(problems(call) == expected, "call \(number)") }
      }
      #expect(try zones.dictionaries(.all.project(.field(\.offset)).distinct()).count == (isMemory ? 0 : 5))
    }
  }

  @Test func `an unknown property, with the nearest there is`() throws {
    try refused(.field("ofset") == 1, "ofset: zone has no attribute 'ofset'; did you mean 'offset'?")
    try refused(.field("somethingElse") == 1, "somethingElse: zone has no attribute 'somethingElse'")
    try refused(.field("name.length") == 1, "name.length: zone.name is an attribute of text, which leads nowhere")
  }

  @Test func `a value of the wrong type`() throws {
    try refused(.field("offset") == "x", #"offset: expects integer, not "x""#)
    try refused(.field("offset") == 1.5, "offset: expects integer, not 1.5")
    try refused(.field("name") == 1, "name: expects text, not 1")
    try refused(.field("name") == true, "name: expects text, not true")
    try refused(.in(.field("offset"), [1, "x", true]), #"offset: expects integer, not "x""#, "offset: expects integer, not true")
    try refused(.between(.field("offset"), 1, "x"), #"offset: expects integer, not "x""#)
    try refused(
      .equal(.field("name"), .field("offset")), "name: can't be compared with offset: text and integer, or stored in different forms")
  }

  @Test func `text filters on a number`() throws {
    try refused(.like(\.offset, "1*"), "offset: like is for text, not for integer")
    try refused(.contains(\.offset, "1"), "offset: contains is for text, not for integer")
    try refused(.beginsWith(\.offset, "1", caseSensitive: false), "offset: beginsWith is for text, not for integer")
    try refused(.endsWith(\.id, "1"), "id: endsWith is for text, not for integer")
    try refused(.lower(\.offset) == 1, "offset: lower is for text", "offset: expects text, not 1")
  }

  @Test func `functions of what they are not for`() throws {
    try refused(.abs(\.name) == "x", "name: abs is for numbers, and not for decimals kept as text")
    try refused(.round(\.name) == "x", "name: round is for numbers")
    try refused(\.offset == .sum(\.offset) && .count(\.name) == 1 && .length(\.offset) == 1, "offset: length is for text")
    let count = Filter<Zone>(.compare(.function(.lower, []), .equal, .value("x")))
    try refused(count, "lower takes one term, not 0")
    let nested = Filter<Zone>(.compare(.aggregate(.max, .aggregate(.min, .field(FieldPath("offset")))), .equal, .value(1)))
    try refused(nested, "offset: max of another aggregate has no meaning")
    try refused(Filter<Zone>(.compare(.aggregate(.max, nil), .equal, .value(1))), "max needs an attribute")
  }

  @Test func `nil in an ordering comparison, between and text filters`() throws {
    let (none, noText): (Int?, String?) = (nil, nil)
    let order = "offset: can't be ordered against nil; use isNull or isNotNull"
    try refused(.less(\.offset, none), order)
    try refused(.lessOrEqual(\.offset, none), order)
    try refused(.greater(\.offset, none), order)
    try refused(.greaterOrEqual(\.offset, none), order)
    try refused(.field("offset") < nil, order)
    try refused(.between(\.offset, none, 3), "offset: can't be between nil and a value; use isNull or isNotNull")
    try refused(.between(\.offset, 3, none), "offset: can't be between nil and a value; use isNull or isNotNull")
    try refused(.like(\.name, noText), "name: like against nil; use isNull or isNotNull")
    try refused(.contains(\.name, noText), "name: contains against nil; use isNull or isNotNull")
    try refused(.beginsWith(\.name, noText), "name: beginsWith against nil; use isNull or isNotNull")
    try refused(.endsWith(\.name, noText, caseSensitive: false), "name: endsWith against nil; use isNull or isNotNull")
  }

  @Test func `all problems of a query come together, each once`() throws {
    let criteria = SearchCriteria<Zone>.where(.field("ofset") == 1 && (.like(\.offset, "x") || .field("name") == 2 || .field("ofset") == 1))
      .order(by: .ascending(.field("nam"))).limit(-1, offset: -1)
    let found = problems { _ = try zones.findAll(criteria) }
    #expect(
      found == [
        "ofset: zone has no attribute 'ofset'; did you mean 'offset'?", "offset: like is for text, not for integer",
        "name: expects text, not 2", "nam: zone has no attribute 'nam'; did you mean 'name'?",
        "limit: is -1; it can't be negative", "offset: is -1; it can't be negative",
      ])
    do { _ = try zones.findAll(criteria) } catch {
      #expect("\(error)".hasPrefix("the criteria do not fit zone: ofset: ") && error.localizedDescription == "\(error)")
    }
  }

  @Test func `nothing in a part that is constant hides a problem in another`() throws {
    try refused(.in(\.offset, []) && .field("ofset") == 1, "ofset: zone has no attribute 'ofset'; did you mean 'offset'?")
    let like = Filter<Zone>.notIn(\.offset, []) || .like(\.offset, "x")
    #expect(problems { _ = try zones.findAll(.where(like)) } == ["offset: like is for text, not for integer"])
  }

  @Test func `nesting too deep, patterns too long`() throws {
    var filter: Filter<Zone> = \.offset == 1
    for level in 0..<40 { filter = level % 2 == 0 ? filter && \.offset == 2 : filter || \.offset == 3 }
    #expect(
      problems { _ = try zones.findAll(.where(filter)) }.contains(
        "the filter is nested more than 24 levels deep, goes through more than 8 relationships, or too much of both"))
    let long = String(repeating: "a", count: 20_001)
    #expect(try zones.findAll(.where(.like(\.name, "a"))).isEmpty, "a sound pattern of the same shape")
    try refused(.like(\.name, long), "name: has a pattern of more than 20000 bytes")
    #expect(try zones.findAll(.where(.contains(\.name, long))).isEmpty)
    #expect(try zones.findAll(.where(.like(\.name, String(long.dropLast())))).isEmpty)
    #expect(try zones.findAll(.where(.like(\.name, String(repeating: "%", count: 20_000), caseSensitive: false))).isEmpty)
  }

  @Test func `an alternation of 24 levels still runs, on a small stack too`() throws {
    var filter: Filter<Zone> = \.offset == 0
    for level in 0..<23 { filter = level % 2 == 0 ? filter && \.offset != 2 : filter || \.offset == -level }
    let (zones, deep) = (zones, filter)
    #expect(try onSmallStack { try zones.count(.where(deep)) } == 1)
  }
}

@Suite("Writes that do not fit, and results that do not")
struct WriteProblemTests {
  let store: TestStore
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws {
    store = try TestStore([Zone.entityDescription, Transition.entityDescription, Country.entityDescription])
    try store.zones.insert(Zone.samples)
  }

  @Test func `a duplicate key`() throws {
    #expect(constraint { try zones.insert(Zone(id: 1, "new", 1)) } == "primary key zone id")
    let countries = store.factory.runtimeDAO(Country.self)
    try countries.insert(Country("SK", "Slovakia"))
    #expect(constraint { try countries.insert(Country("SK", "other")) } == "primary key country code")
    let transitions = store.factory.runtimeDAO(Transition.self)
    try transitions.insert(Transition(1, 1, 1))
    #expect(constraint { try transitions.insert(Transition(1, 1, 2)) } == "primary key transition zoneID,instant")
    #expect(try zones.count() == 6 && countries.count() == 1 && transitions.count() == 1)
  }

  @Test func `values that another row has, named by attribute where the column is called otherwise`() throws {
    #expect(constraint { try zones.insert(Zone("Europe/London", 1)) } == "unique zone name")
    #expect(constraint { try zones.update(Zone(id: 1, "Europe/London", 1)) } == "unique zone name")
    #expect(constraint { try zones.update(.where(\.offset == 3600), set: .set(\.name, to: "same")) } == "unique zone name")
    let countries = store.factory.runtimeDAO(Country.self)
    try countries.insert(Country("SK", "Slovakia"))
    #expect(constraint { try countries.insert(Country("XX", "Slovakia")) } == "unique country name")
    #expect(try zones.find(1).name == "Europe/Bratislava" && zones.count() == 6)
  }

  @Test func `a foreign key to nothing, on insert and update`() throws {
    let transitions = store.factory.runtimeDAO(Transition.self)
    #expect(constraint { try transitions.insert(Transition(99, 1, 1)) } == "foreign key transition zoneID")
    #expect(constraint { try transitions.insert([Transition(1, 1, 1), Transition(99, 1, 1)]) } == "foreign key transition zoneID")
    #expect(try transitions.count() == 0)
  }

  @Test func `a row that others point to, on delete`() throws {
    let store = try TestStore(
      [Zone.entityDescription], sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, zone INTEGER NOT NULL REFERENCES zone (id))")
    try store.zones.insert(Zone.samples)
    let visits = try store.factory.runtimeDAO("visit")
    try visits.insert(visits.make(["zone": 2]))
    #expect(constraint { try store.zones.delete(2) } == "foreign key zone id")
    #expect(constraint { try store.zones.delete([1, 2]) } == "foreign key zone id")
    #expect(constraint { try store.zones.delete(.where(\.offset >= 0)) } == "foreign key zone id")
    #expect(constraint { try visits.update(.where(.field("zone") == 2), set: .set("zone", to: 9)) } == "foreign key visit zone")
    #expect(try store.zones.count() == 6)
    #expect(try visits.delete([[1]]) == 1)
    #expect(try store.zones.delete(2))
  }

  @Test func `a foreign key that is checked at the commit`() throws {
    let store = try TestStore(
      [Zone.entityDescription],
      sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED)")
    #expect(
      constraint {
        try store.factory.write { session in
          let visits = try session.runtimeDAO("visit")
          try visits.insert(visits.make(["zone": 9]))
        }
      } == "foreign key visit zone")
    #expect(try store.factory.runtimeDAO("visit").count() == 0)
    try store.factory.write { session in
      let visits = try session.runtimeDAO("visit")
      try visits.insert(visits.make(["zone": 1]))
      try session.runtimeDAO(Zone.self).insert(Zone("later", 1))
    }
    #expect(try store.factory.runtimeDAO("visit").count() == 1)
  }

  @Test func `of two keys that are checked at the commit the broken one is named, and none where rows of before break another`() throws {
    func error(old: String) throws -> String? {
      let store = try TestStore(
        [Zone.entityDescription],
        sql: """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE earlier (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone (id)); \(old);
          CREATE TABLE visit (id INTEGER PRIMARY KEY, first INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED,
            second INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED, \
          third INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED);
          PRAGMA foreign_keys = ON
          """)
      try store.zones.insert(Zone("one", 1))
      return constraint {
        try store.factory.write { session in
          let visits = try session.runtimeDAO("visit")
          try visits.insert(visits.make(["first": 1, "second": 9, "third": 1]))
        }
      }
    }
    #expect(try error(old: "") == "foreign key visit second")
    #expect(try error(old: "INSERT INTO earlier VALUES (1, 777)") == "foreign key the store ")
  }

  @Test func `a value that is missing`() throws {
    let zones = try store.factory.runtimeDAO("zone")
    #expect(constraint { try zones.insert(zones.make(["name": "x"])) } == "not null zone offset")
    #expect(problems { try zones.update(.where(.field("id") == 1), set: .set("name", to: .null)) } == ["name: can't be nil"])
    #expect(constraint { try zones.execute("UPDATE zone SET name = NULL") } == "not null the store ")
  }

  @Test func `a check of the schema`() throws {
    let store = try TestStore([], sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER CHECK (a > 0))")
    let dao = try store.factory.runtimeDAO("t")
    #expect(constraint { try dao.insert(dao.make(["a": 0])) } == "check t ")
  }

  @Test func `a store that is used where it lies can only be read`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: url) }
    _ = try StoreBootstrapper(seed: .empty, entities: [Zone.entityDescription]).bootstrap(url)
    let factory = DAOFactory(over: EngineStore(try SQLiteEngine(readingUnchanging: url)))
    let zones = factory.runtimeDAO(Zone.self)
    #expect(try zones.count() == 0)
    #expect(readOnly { try zones.insert(Zone("a", 1)) } == "store")
    #expect(readOnly { try zones.update(Zone(id: 1, "a", 1)) } == "store")
    #expect(readOnly { try zones.upsert(Zone("a", 1)) } == "store")
    #expect(readOnly { try zones.delete(1) } == "store")
    #expect(readOnly { try zones.delete(.all, allowUnfiltered: true) } == "store")
    #expect(readOnly { try zones.execute("DELETE FROM zone") } == "store")
    #expect(readOnly { try factory.write { _ in } } == "store")
    #expect(try factory.read { try $0.runtimeDAO(Zone.self).exists() } == false)
  }

  @Test func `a sum and an absolute value that do not fit are errors, never rounded`() throws {
    let dao = store.factory.runtimeDAO(Zone.self)
    try dao.insert([Zone("max", .max), Zone("min", .min)])
    func overflows(_ body: () throws -> Void) -> Bool {
      do { try body() } catch DAOError.overflow(let entity, _) { return entity == "zone" } catch { Issue.record(error) }
      return false
    }
    #expect(overflows { _ = try dao.project(.sum(\.offset), matching: .where(\.offset > 0)) })
    #expect(overflows { _ = try dao.findAll(.where(.sum(\.offset) > 1 && .sum(\.offset) > 2).filter(.abs(\.offset) > 0)) })
    #expect(overflows { _ = try dao.findAll(.where(.abs(\.offset) == 1)) })
    #expect(overflows { _ = try dao.project(.function(.abs(\.offset)), matching: .where(\.name == "min")) })
    #expect(overflows { _ = try dao.update(.where(\.name == "min"), set: .set(\.offset, to: .abs(\.offset))) })
    #expect(try dao.findAll(.where(\.name == "min")).map(\.offset) == [.min])
  }

  @Test func `errors name no values`() throws {
    do { try zones.insert(Zone("Europe/London", 1, "secret")) } catch {
      #expect(!"\(error)".contains("secret") && "\(error)".contains("name"))
    }
  }
}
