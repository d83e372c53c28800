import CriteriaTesting
import DAOKit
import Testing

/// The forms that a compiler has to take; each is the value that another form makes.
@Suite("Filters in closures, and forms that mean the same")
struct ClosureTests {
  private typealias Fields = Nation.Fields

  private func inClosure(_ filter: (Fields) -> Filter<Nation>) -> Criteria.Condition {
    SearchCriteria<Nation>.where(filter).criteria.filter
  }
  private func plain(_ filter: Filter<Nation>) -> Criteria.Condition { filter.condition }
  private func ofTown(_ filter: (Town.Fields) -> Filter<Town>) -> Criteria.Condition { SearchCriteria<Town>.where(filter).criteria.filter }

  @Test func `aggregates of a relationship, of all rows and of some, by key path and by closure`() throws {
    #expect(inClosure { $0.towns.count() > 2 } == plain(.count(\.towns) > 2))
    #expect(inClosure { $0.towns.count { $0.size > 9 } > 2 } == plain(.count(\.towns, where: \.size > 9) > 2))
    #expect(inClosure { $0.towns.sum(\.size) == nil } == plain(.sum(\.towns, \.size) == nil))
    #expect(inClosure { $0.towns.sum { $0.size } == nil } == plain(.sum(\.towns, \.size) == nil))
    #expect(inClosure { $0.towns.min(\.size) < 5 } == plain(.min(\.towns, \.size) < 5))
    #expect(inClosure { $0.towns.max(\.name) { $0.size > 1 } == "x" } == plain(.max(\.towns, \.name, where: \.size > 1) == "x"))
    #expect(inClosure { $0.towns.average(\.size) >= 2.5 } == plain(.average(\.towns, \.size) >= 2.5))
    #expect(
      inClosure { $0.neighbour.towns.count() == 0 }
        == .compare(.related(.count, FieldPath("neighbour.towns"), nil, .constant(true)), .equal, .value(0)))
    let store = try TestStore(Self.entities)
    let memory = DAOFactory(over: try EvaluatorStore(Self.entities))
    for factory in [store.factory, memory] {
      let nations = factory.runtimeDAO(Nation.self)
      try nations.insert([Nation("SK", "Slovakia"), Nation("CZ", "Czechia", neighbour: "SK"), Nation("AT", "Austria")])
      try factory.runtimeDAO(Town.self).insert([Town("a", 3, in: "SK"), Town("b", 5, in: "SK"), Town("c", 5, in: "AT")])
      #expect(try nations.findAllIDs(.where { $0.towns.sum(\.size) > 5 }) == ["SK"])
      #expect(try nations.findAllIDs(.where { $0.towns.max(\.size) > $0.towns.average(\.size) }) == ["SK"])
      #expect(try nations.findAllIDs(.where { $0.towns.count { $0.name != "b" } == 1 }.order(by: \.code)) == ["AT", "SK"])
      #expect(try nations.findAllIDs(.where { $0.neighbour.towns.max(\.size) == 5 }) == ["CZ"])
    }
  }

  private static let entities = [
    Nation.entityDescription, Town.entityDescription, Lake.entityDescription, NationLake.entityDescription,
  ]

  @Test func `integers beside averages and doubles, with operators, by name and in closures`() {
    let term = Criteria.Term.field(FieldPath("size"))
    let mean = Criteria.Term.aggregate(.average, term)
    let named: [(Filter<Town>, Criteria.Comparison)] = [
      (.equal(\.size, .average(\.size)), .equal), (.notEqual(\.size, .average(\.size)), .notEqual),
      (.less(\.size, .average(\.size)), .less), (.lessOrEqual(\.size, .average(\.size)), .lessOrEqual),
      (.greater(\.size, .average(\.size)), .greater), (.greaterOrEqual(\.size, .average(\.size)), .greaterOrEqual),
      (\.size == .average(\.size), .equal), (\.size != .average(\.size), .notEqual), (\.size < .average(\.size), .less),
      (\.size <= .average(\.size), .lessOrEqual), (\.size > .average(\.size), .greater), (\.size >= .average(\.size), .greaterOrEqual),
    ]
    for (filter, comparison) in named { #expect(filter.condition == .compare(term, comparison, mean)) }
    #expect(Filter<Town>.less(.average(\.size), \.size).condition == .compare(mean, .less, term))
    #expect(Filter<Town>.equal(.max(\.id), \.size).condition == .compare(.aggregate(.max, .field(FieldPath("id"))), .equal, term))
    #expect(ofTown { $0.size > $0.size.average() } == .compare(term, .greater, mean))
    #expect(ofTown { $0.id == $0.size } == .compare(.field(FieldPath("id")), .equal, term))
    #expect(ofTown { $0.size.average() > 3 } == .compare(mean, .greater, .value(.real(3))))
  }

  @Test func `a key stands for the reference to its row, in filters, lists and entities`() throws {
    let expected = Criteria.Condition.compare(.field(FieldPath("nation")), .equal, .value("SK"))
    #expect(plainOfTown(\.nation == "SK") == expected && ofTown { $0.nation == "SK" } == expected)
    #expect(plainOfTown(\.nation == Reference("SK")) == expected && plainOfTown(.equal(\.nation, "SK")) == expected)
    #expect(inClosure { $0.neighbour == "SK" } == .compare(.field(FieldPath("neighbour")), .equal, .value("SK")))
    #expect(inClosure { $0.neighbour == nil } == .compare(.field(FieldPath("neighbour")), .equal, .value(.null)))
    #expect(ofTown { .in($0.nation, ["SK", "AT"]) } == .among(.field(FieldPath("nation")), ["SK", "AT"]))
    #expect(Town("a", 1, in: "SK").nation == Reference("SK"))
    let number: Reference<Town> = 7
    #expect(number.key == 7)
    #expect(Assignment<Nation>.set(\.neighbour, to: "AT") == .set(\.neighbour, to: Reference("AT")))
  }

  private func plainOfTown(_ filter: Filter<Town>) -> Criteria.Condition { filter.condition }

  @Test func `assignments are spelled alike: a value, another attribute's, a function's, by name`() throws {
    let zones = try TestStore.zones().zones
    #expect(try zones.update(.where { $0.id == 1 }, set: .set(\.offset, to: 5), .set("comment", to: "c")) == 1)
    #expect(try zones.update(.where { $0.id == 1 }, set: .set(\.name, to: .upper(\.name)), .set(\.comment, to: nil)) == 1)
    #expect(try zones.find(1) == Zone(id: 1, "EUROPE/BRATISLAVA", 5))
    #expect(try zones.update(.where { $0.id == 1 }, set: .set(\.comment, to: \.name), .set(\.offset, to: \.offset)) == 1)
    #expect(try zones.find(1) == Zone(id: 1, "EUROPE/BRATISLAVA", 5, "EUROPE/BRATISLAVA"))
  }

  @Test func `upserts take key paths, which are names to an override, also with await`() async throws {
    let store = try TestStore.zones()
    let noting = store.factory.dao(NotingDAO.init)
    for dao in [store.zones, noting] as [DAO<Zone>] {
      #expect(try syncly { try dao.upsert(Zone("Europe/London", 9, "new"), on: [\.name], updating: [\.comment]) }.entity.offset == 0)
      #expect(try syncly { try dao.upsert([Zone("Europe/London", 9, "x")], on: [\.name], updating: []) }.map(\.outcome) == [.unchanged])
      #expect(try await dao.upsert(Zone("Europe/London", 9, "newer"), on: [\.name], updating: [\.comment]).outcome == .updated)
      #expect(try await dao.upsert([Zone("Europe/London", 9, "new")], on: [\.name]).map(\.entity.offset) == [9])
      #expect(try syncly { try dao.upsert(Zone(id: 2, "Europe/London", 0, "z"), updating: [\.offset]) }.entity.comment == "new")
    }
    #expect(noting.targets.take() == [["name"], ["name"], ["name"], ["name"], nil])
    let nations = try TestStore(Self.entities).factory.runtimeDAO(Nation.self)
    #expect(
      problems { try nations.upsert(Nation("SK", "Slovakia"), on: [\.towns], updating: [\.name.term]) } == [
        "towns: nation has no attribute 'towns'", "a key path: nation has no attribute 'a key path'",
      ])
  }
}

/// Notes what upserts go by.
private final class NotingDAO: DAO<Zone>, @unchecked Sendable {
  let targets = Targets()

  override func upsert(_ entities: [Zone], on target: [String]?, updating: [String]?) throws -> [Upserted<Zone>] {
    targets.note(target)
    return try super.upsert(entities, on: target, updating: updating)
  }

  /// Used by one thread at a time.
  final class Targets: @unchecked Sendable {
    private var all: [[String]?] = []
    func note(_ target: [String]?) { all.append(target) }
    func take() -> [[String]?] { all }
  }
}
