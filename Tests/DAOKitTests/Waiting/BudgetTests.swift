import DAOKit
import Foundation
import Testing

@Suite("A query that has a budget", .timeLimit(.minutes(60)))
struct BudgetTests {
  /// A query that no row of `endless` fits.
  static func criteria(_ budget: RunBudget?) -> SearchCriteria<DynamicEntity> {
    var criteria = SearchCriteria<DynamicEntity>.where { $0.name == "none" }.criteria
    criteria.budget = budget
    return SearchCriteria(criteria)
  }

  /// The calls that never end by themselves, with a query that has a budget.
  static let calls: [(String, @Sendable (EndlessStore, RunBudget) async throws -> Void)] = [
    ("findAll", { _ = try await $0.endless.findAll(criteria($1)) }),
    ("findFirst", { _ = try await $0.endless.findFirst(criteria($1)) }),
    ("findAllIDs", { _ = try await $0.endless.findAllIDs(criteria($1)) }),
    ("exists", { _ = try await $0.endless.exists(criteria($1)) }),
    ("count", { _ = try await $0.endless.count(criteria($1)) }),
    ("page", { _ = try await $0.endless.page(criteria($1), size: 10) }),
    ("report", { _ = try await $0.endless.dictionaries(criteria($1).project(.aggregate(.max, "id"))) }),
    ("stream", { for try await _ in $0.endless.stream(criteria($1)) {} }),
    (
      "cursor",
      { store, budget in
        try await store.factory.read { (session) throws in
          try session.runtimeDAO("endless").withCursor(criteria(budget)) { while try $0.next() != nil {} }
        }
      }
    ),
    (
      "update",
      { store, budget in
        var criteria = SearchCriteria<Zone>.where(\.id == 1).criteria
        criteria.budget = budget
        try await store.zones.update(SearchCriteria(criteria), set: .set(\.name, to: "slow"))
      }
    ),
  ]

  @Test(arguments: calls.indices)
  func `ends when its steps or its time are spent, and its connection is as good as new`(_ index: Int) async throws {
    let (name, call) = Self.calls[index]
    let store = try EndlessStore()
    for (budget, limit) in [
      (RunBudget(steps: 2_000_000, time: .seconds(1000)), RunBudget.Limit.steps(2_000_000)),
      (RunBudget(steps: .max, time: .milliseconds(30)), .time(.milliseconds(30))),
    ] {
      let error = await #expect(throws: DAOError.self, "\(name)") { try await call(store, budget) }
      guard case .budgetExceeded(let entity, let found)? = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(found == limit)
      #expect(["endless", "zone"].contains(entity))
    }
    #expect(try await store.isAsNew())
  }

  @Test func `leaves other statements of its session and what comes after it their own`() async throws {
    let store = try EndlessStore()
    let names = try await store.factory.write { (session) throws in
      let (zones, endless) = (session.runtimeDAO(Zone.self), try session.runtimeDAO("endless"))
      try zones.insert(Zone("first", 1))
      return try zones.withCursor(.all.order(by: \.id)) { cursor in
        var names: [String] = []
        while let zone = try cursor.next() {
          names.append(zone.name)
          if names.count < 4 {
            #expect(throws: DAOError.self) { try endless.count(Self.criteria(RunBudget(steps: 100_000))) }
          }
        }
        return names
      }
    }
    #expect(names == Zone.samples.map(\.name) + ["first"])
    #expect(try await store.zones.delete(.where(\.name == "first")) == 1)
    #expect(try await store.isAsNew())
  }

  /// A letter of a long text, and a filter that the text fits.
  static let functions: [(letter: String, filter: @Sendable (String) -> Filter<Zone>)] = [
    ("A", { .lower(\.name) == $0.lowercased() }), ("Ä", { .lower(\.name) == $0.lowercased() }),
    ("a", { .upper(\.name) == $0.uppercased() }), ("ä", { .upper(\.name) == $0.uppercased() }), ("1", { .upper(\.name) == $0 }),
    (" ", { _ in .trim(\.name) == "" }), ("ä", { .length(\.name) == $0.unicodeScalars.count }),
  ]

  // The time is over before the query begins, which takes so few steps that SQLite does not check it.
  private static let isOver = RunBudget(steps: .max, time: .seconds(-1))

  private func hasNoTime(_ body: () throws -> Int, sourceLocation: SourceLocation = #_sourceLocation) {
    do {
      _ = try body()
      Issue.record("the query ended", sourceLocation: sourceLocation)
    } catch DAOError.budgetExceeded(_, .time) {} catch { Issue.record(error, sourceLocation: sourceLocation) }
  }

  @Test(arguments: functions.indices)
  func `checks its time in the middle of one long text`(_ index: Int) throws {
    let (letter, filter) = Self.functions[index]
    let zones = try TestStore([Zone.entityDescription]).factory.runtimeDAO(Zone.self)
    for count in [1, 300_000] {
      let text = String(repeating: letter, count: count)
      let zone = try zones.insert(Zone(text, 0))
      let criteria = SearchCriteria<Zone>.where(\.id == zone.id ?? 0 && filter(text))
      #expect(try zones.count(criteria) == 1)
      func limited() throws -> Int { try zones.count(criteria.within(Self.isOver)) }
      if count == 1 { #expect(try limited() == 1) } else { hasNoTime(limited) }
    }
  }

  @Test func `checks its time in the middle of one long JSON text`() throws {
    let parcels = try TestStore.parcels().factory.runtimeDAO(Parcel.self)
    for count in [1, 300_000] {
      let city = String(repeating: "\n", count: count)
      let parcel = try parcels.insert(Parcel(Details(city: city)))
      let criteria = SearchCriteria<Parcel>.where(\.id == parcel.id && .json(\.details, "city", as: String.self) == city)
      #expect(try parcels.count(criteria) == 1)
      func limited() throws -> Int { try parcels.count(criteria.within(Self.isOver)) }
      if count == 1 { #expect(try limited() == 1) } else { hasNoTime(limited) }
    }
  }

  @Test(arguments: [true, false])
  func `checks its time in the middle of one long text that is shown`(isSnippet: Bool) throws {
    let notes = try TestStore.notes().notes
    let match = FullTextMatch<Note>("boat")
    let shown: Projection<Note, String?> =
      isSnippet ? .snippet(\.body, match, start: "<", end: ">", words: 3) : .highlight(\.body, match, start: "<", end: ">")
    for count in [1, 20_000] {
      let note = try notes.insert(Note("long", Array(repeating: "boat", count: count).joined(separator: " ")))
      let criteria = SearchCriteria<Note>.where(\.id == note.id ?? 0)
      func texts(_ budget: RunBudget?) throws -> [String?] { try notes.project(shown, matching: criteria.within(budget)) }
      let found = try texts(nil).compactMap { $0?.components(separatedBy: "<boat>").count }
      #expect(found == [1 + (isSnippet ? min(count, 3) : count)])
      if count == 1 { #expect(try texts(Self.isOver).count == 1) } else { hasNoTime { try texts(Self.isOver).count } }
    }
  }

  /// FTS5's own snippet takes the square.
  @Test(arguments: [true, false])
  func `takes as many steps for a text that is shown as it has hits and bytes`(isSnippet: Bool) throws {
    let notes = try TestStore.notes().notes
    let hits = 100_000
    let note = try notes.insert(Note("long", String(repeating: "a. ", count: hits)))
    let match = FullTextMatch<Note>("a")
    let shown: Projection<Note, String?> =
      isSnippet ? .snippet(\.body, match, start: "<", end: ">", words: 64) : .highlight(\.body, match, start: "<", end: ">")
    func texts(_ steps: Int) throws -> [String?] {
      try notes.project(shown, matching: .where(\.id == note.id ?? 0).within(RunBudget(steps: steps, time: .seconds(3600))))
    }
    // A snippet reads the text to the last hit, and then what is shown.
    let found = try texts(hits + 3 * hits / RunBudget.bytesPerStep + 5_000)
    #expect(found.count == 1 && found[0]?.hasPrefix("<a>. <a>. ") == true)
    #expect { try texts(hits) } throws: { if case DAOError.budgetExceeded("note", .steps) = $0 { true } else { false } }
  }

  @Test func `gets its rows where they take less: as many steps are allowed as the virtual machine takes`() async throws {
    let store = try EndlessStore()
    var criteria = SearchCriteria<Zone>.all.criteria
    criteria.budget = RunBudget(steps: 10_000, time: .seconds(1000))
    for _ in 0..<1000 { #expect(try await store.zones.count(SearchCriteria(criteria)) == Zone.samples.count) }
  }
}

extension SearchCriteria {
  fileprivate func within(_ budget: RunBudget?) -> SearchCriteria {
    var criteria = criteria
    criteria.budget = budget
    return SearchCriteria(criteria)
  }
}
