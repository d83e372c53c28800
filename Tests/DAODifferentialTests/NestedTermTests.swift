import DAOKit
import Testing

/// Terms as deep as they may be: what a search says of a row, and aggregates with the scope in them. SQLite has the room for all that the
/// check lets through.
struct NestedTermTests {
  private static let post: EntityDescription = EntityDescription(
    "post", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("text", .text, searchable: true), Attribute("rank", .integer, optional: true),
      Attribute("parentID", .integer, optional: true),
    ], relationships: [.toOne("parent", post, by: "parentID"), .toMany("answers", post, by: "parentID")])

  static let searchResults: [Criteria.SearchResult] = [
    .relevance, .highlight(FieldPath("text"), start: "<", end: ">"),
    .snippet(FieldPath("text"), start: "<", end: ">", ellipsis: "…", words: 3),
  ]

  private func stores() throws -> [any EntityStore] {
    [EngineStore(try StoreDescription.inMemory().open([Self.post]).engine), try EvaluatorStore([Self.post])]
  }

  private func isRefused(_ order: Criteria.Ordering) -> Bool {
    var criteria = Criteria()
    criteria.orders = [order]
    return (try? criteria.check(.page, in: EntityTarget(Self.post))) == nil
  }

  @Test(arguments: searchResults)
  func `what a search says of a row is counted among what is around it`(_ result: Criteria.SearchResult) throws {
    let search = Criteria.Search(FullTextQuery("word"))
    for functions in 0...6 {
      func order(_ hops: Int) -> Criteria.Ordering {
        let function: Function = result == .relevance ? .abs : .upper
        let term = (0..<functions).reduce(Criteria.Term.search(result, search)) { term, _ in .function(function, [term]) }
        return Criteria.Ordering((0..<hops).reduce(term) { term, _ in .related(.max, FieldPath("answers"), term, .constant(true)) })
      }
      let most = try #require((0...8).last { !isRefused(order($0)) })
      let target = EntityTarget(Self.post, scope: .some(FieldPath("answers"), .compare(.field(FieldPath("rank")), .greater, .value(0))))
      // The evaluator has no search table.
      for store in try stores().prefix(1) {
        _ = try store.insert([DynamicEntity(Self.post, ["text": "a word", "rank": 1])], in: EntityTarget(Self.post))
        var page = Criteria()
        page.orders = [order(most)]
        page.limit = 3
        page.after = [.null, .integer(0)]
        #expect(throws: Never.self) { try store.page(DynamicEntity.self, in: target, page, size: 2) }
        if most < 8 {
          page.orders = [order(most + 1)]
          let error = #expect(throws: DAOError.self) { try store.page(DynamicEntity.self, in: target, page, size: 2) }
          guard case .invalidCriteria? = error else { Issue.record("\(String(describing: error))"); continue }
        }
      }
    }
  }

  @Test func `an aggregate is as deep as the scope in it, in filters and in changes`() throws {
    func nested(_ count: Int) -> Criteria.Condition {
      (0..<count).reduce(.compare(.field(FieldPath("rank")), .greater, .value(0))) { inner, number in
        .some(FieldPath(number % 2 == 0 ? "answers" : "parent"), inner)
      }
    }
    let rank = Criteria.Term.field(FieldPath("rank"))
    let most = Criteria.Term.aggregate(.max, rank)
    func functions(_ count: Int) -> Criteria.Term { (0..<count).reduce(most) { term, _ in .function(.coalesce, [term, .value(1)]) } }
    var (taken, refused) = (0, 0)
    for (hops, count, ownHops) in (0...8).flatMap({ hops in (0...7).flatMap { count in [0, 3].map { (hops, count, $0) } } }) {
      let target = EntityTarget(Self.post, scope: nested(hops))
      var filter = Criteria()
      filter.filter = .all([.compare(functions(count), .greater, .value(0)), nested(ownHops)])
      let change = Criteria.Change(rank, functions(count))
      var outcomes: [[String]] = []
      for store in try stores() {
        _ = try store.insert([DynamicEntity(Self.post, ["text": "a", "rank": 1])], in: EntityTarget(Self.post))
        func outcome(_ body: () throws -> Int) -> String {
          do { return "\(try body())" } catch DAOError.invalidCriteria(_, let problems) { return "\(problems)" } catch {
            return "failed: \(error)"
          }
        }
        outcomes.append([
          outcome { try store.count(in: target, filter) },
          outcome { try store.update(in: target, Criteria(), set: [change]) },
        ])
      }
      #expect(outcomes[0] == outcomes[1])
      for outcome in outcomes[0] {
        #expect(!outcome.hasPrefix("failed") && !outcome.contains("SQL"))
        if outcome.hasPrefix("[") { refused += 1 } else { taken += 1 }
      }
    }
    #expect(taken > 100 && refused > 0)
  }

  @Test func `a sum over all rows is no deeper than a maximum, whatever relationships its scope goes through`() throws {
    func scope(_ hops: Int) -> Criteria.Condition {
      (0..<hops).reduce(.compare(.field(FieldPath("rank")), .greater, .value(0))) { inner, _ in .some(FieldPath("answers"), inner) }
    }
    func isTaken(_ aggregate: Aggregate, _ hops: Int) throws -> Bool {
      var criteria = Criteria()
      criteria.filter = .compare(.aggregate(aggregate, .field(FieldPath("rank"))), .greater, .value(0))
      let target = EntityTarget(Self.post, scope: scope(hops))
      let counts = try stores().map { store -> Int? in
        do { return try store.count(in: target, criteria) } catch DAOError.invalidCriteria { return nil }
      }
      #expect(counts[0] == counts[1])
      return counts[0] != nil
    }
    for hops in 0...8 { #expect(try isTaken(.sum, hops) == isTaken(.max, hops), "\(hops) relationships") }
    #expect(try isTaken(.sum, 6) && !isTaken(.sum, 8))
  }
}
