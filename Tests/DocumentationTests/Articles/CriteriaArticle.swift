import DAOMacros
import Foundation
import Testing

/// The code of Documentation/criteria.md.
@Suite struct CriteriaArticle: ArticleTest {
  let article = Article("Documentation/criteria.md")

  @Test func `the code of criteria.md runs and sends its SQL`() throws {
    let factory = try worldFactory()
    let zones = factory.runtimeDAO(Zone.self)
    try first(zones)
    try comparing(zones)
    try texts(zones)
    try joining(zones)
    try keyPaths(zones)
    try functions(zones)
    try orders(zones)
    try uses(zones)
    try problems(factory)
    try explaining(zones)
    try json()
    try article.expectSQLAndOutput()
  }

  private func first(_ zones: RuntimeDAO<Zone>) throws {
    let criteria = SearchCriteria<Zone>
      .where { $0.standardOffset > 3600 && $0.comment != nil }
      .order(by: .descending(\.standardOffset), .ascending(\.name))
      .limit(20)
    let found = try zones.findAll(criteria)

    #expect(found.map(\.name) == ["Pacific/Chatham", "Pacific/Auckland", "Asia/Kolkata"])
  }

  private func comparing(_ zones: RuntimeDAO<Zone>) throws {
    let equal = try zones.count(.where { $0.standardOffset == 3600 })
    let different = try zones.count(.where { $0.comment != "half an hour" })
    let missing = try zones.count(.where { $0.comment == nil })
    let less = try zones.count(.where { $0.standardOffset < 0 })
    let between = try zones.count(.where { .between($0.standardOffset, 0...3600) })
    let listed = try zones.count(.where { .in($0.name, ["Europe/Prague", "Asia/Tokyo"]) })
    let unlisted = try zones.count(.where { .notIn($0.comment, ["half an hour"]) })

    #expect([equal, different, missing, less, between, listed, unlisted] as [Int] == [2, 9, 5, 2, 4, 2, 9])

    let attributes = try zones.count(.where { $0.name == $0.comment })

    #expect(attributes == 0)
  }

  private func texts(_ zones: RuntimeDAO<Zone>) throws {
    let european = try zones.count(.where { .beginsWith($0.name, "Europe/") })
    let mostAreas = try zones.count(.where { .endsWith($0.comment, "(most areas)") })
    let exact = try zones.count(.where { .contains($0.name, "tokyo") })
    let anyCase = try zones.count(.where { .contains($0.name, "tokyo", caseSensitive: false) })
    let pattern = try zones.count(.where { .like($0.name, "*/?o*", caseSensitive: false) })

    #expect([european, mostAreas, exact, anyCase, pattern] as [Int] == [3, 2, 0, 1, 3])
  }

  private func joining(_ zones: RuntimeDAO<Zone>) throws {
    let commented = try zones.count(.where { ($0.standardOffset > 36_000 || $0.standardOffset < 0) && !.contains($0.comment, "most") })

    #expect(commented == 1)

    let words = ["Asia", "Pacific"]
    let ofWords = try zones.count(.where { zone in .any(words.map { .contains(zone.name, $0) }) })

    #expect(ofWords == 4)

    let typed: String? = nil  // a search field's text
    let shown = try zones.count(.where { zone in .optional(typed) { .contains(zone.name, $0) } })

    #expect(shown == 10)
  }

  private func keyPaths(_ zones: RuntimeDAO<Zone>) throws {
    let far: Filter<Zone> = \.standardOffset >= 36_000 || \.standardOffset <= -36_000
    let islands: Filter<Zone> = .like(\.comment, "*island*", caseSensitive: false)
    let found = try zones.count(.where(far && !islands))

    #expect(found == 1)
  }

  private func functions(_ zones: RuntimeDAO<Zone>) throws {
    let short = try zones.count(.where { $0.name.length() < 10 })
    let lower = try zones.count(.where { $0.name.lowercased() == "asia/tokyo" })
    let unwritten = try zones.count(.where { $0.comment.coalesce("").trimmed() == "" })
    let distant = try zones.count(.where { $0.standardOffset.magnitude() > 36_000 })
    let tokyo = try zones.count(.where { $0.name.substring(from: 5) == "Tokyo" })
    let plain = try zones.count(.where { $0.name.replace("_", with: " ") == "America/New York" })
    let labelled = try zones.count(.where { $0.name.concat($0.comment, separator: ": ") == "Etc/UTC" })

    #expect([short, lower, unwritten, distant, tokyo, plain, labelled] as [Int] == [1, 1, 5, 2, 1, 1, 1])

    let halfHour = try zones.count(.where(.upper(.trim(\.comment)) == "HALF AN HOUR"))
    let titled = try zones.count(.where(.concat(.field(\.name), .upper(\.comment), separator: ": ") == "Etc/UTC"))
    let byLength = try zones.findFirst(.all.order(by: .descending(.length(.coalesce(\.comment, \.name)))))
    let lengths = try zones.project(.length(.trim(\.comment)))

    #expect(halfHour == 1 && titled == 1 && byLength != nil && lengths.count == 10)

    let latest = try zones.findAll(.where { $0.standardOffset == $0.standardOffset.max() })
    let longest = try zones.findAll(.where { $0.name.length() == $0.name.length().max() })

    #expect(latest.map(\.name) == ["Pacific/Chatham"] && longest.count == 1)
  }

  private func orders(_ zones: RuntimeDAO<Zone>) throws {
    let ordered = try zones.findAll(
      .where { $0.standardOffset >= 0 }
        .order(by: .ascending(\.comment, nulls: .last), .descending(.length(\.name)))
        .limit(5, offset: 2))

    #expect(ordered.count == 5)

    let byName = try zones.findAll(.all.order(by: \.standardOffset, \.name))

    #expect(byName.first?.name == "America/Chicago")
  }

  private func uses(_ zones: RuntimeDAO<Zone>) throws {
    let criteria = SearchCriteria<Zone>.where { $0.standardOffset > 36_000 }

    let all = try zones.findAll(criteria)
    let first = try zones.findFirst(criteria)
    let ids = try zones.findAllIDs(criteria)
    let isThere = try zones.exists(criteria)
    let count = try zones.count(criteria)
    let changed = try zones.update(criteria, set: .set(\.comment, to: "far east"))
    let gone = try zones.delete(criteria)

    #expect(all.count == 2 && first?.id == 6 && ids == [6, 7] && isThere && count == 2 && changed == 2 && gone == 2)

    let prague = try zones.find(2)
    let several = try zones.find([3, 2, 99])

    #expect(prague.name == "Europe/Prague" && several.map(\.name) == ["Europe/London", "Europe/Prague"])

    var plan: [String] = []
    do {
      try zones.delete(.all)
    } catch {
      plan.append("\(error)")
      print(error)
    }
    #expect(plan.count == 1)
    let all2 = try zones.delete(.where { .notIn($0.name, []) }, allowUnfiltered: true)
    #expect(all2 == 8)
    try zones.insert(Zone.samples)
  }

  private func problems(_ factory: DAOFactory) throws {
    let zones = try factory.runtimeDAO("zone")  // an entity by its name: the compiler can't check its attributes
    do {
      _ = try zones.findAll(.where { $0.nmae == "Asia/Tokyo" && $0.standardOffset > "east" })
    } catch {
      print(error)
    }
    let tokyo = try zones.findFirst(.where { $0.name == "Asia/Tokyo" })
    #expect(tokyo?.standardOffset == 32_400)
  }

  private func explaining(_ zones: RuntimeDAO<Zone>) throws {
    let criteria = SearchCriteria<Zone>.where { $0.country == "SK" }.order(by: \.name)
    let statement = try criteria.sql(for: .sqlite)
    let plan = try zones.explain(criteria)
    print(plan)

    article.take(statement?.text)
    #expect(statement?.bindings == [.text("SK")] && plan.missingIndexes.count == 1)
  }

  private func json() throws {
    let criteria = SearchCriteria<Zone>.where { .like($0.name, "europe/*", caseSensitive: false) }.order(by: \.standardOffset).limit(20)
    let text = try criteria.json()
    let read = try CriteriaDecoder(allowing: .attributes).decode(SearchCriteria<Zone>.self, from: Data(text.utf8))
    print(text)

    #expect(read.criteria.filter == criteria.criteria.filter)
  }
}
