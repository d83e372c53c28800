import CriteriaTesting
import DAOKit
import Foundation
import TestCases
import Testing

@testable import DAODifferential
@testable import DAOSQL

/// Filters as deep as they may be, in levels and relationships together, in every statement: on SQLite, whose parser has just so much room,
/// and on arrays, on a small stack.
struct DepthTests {
  @Test(arguments: Shape.all)
  func `24 levels alone, and eight relationships alone, are enough for any leaf`(_ shape: Shape) {
    for leaf in 0..<4 {
      #expect(!shape.filter(24, 0, leaf: leaf).isRefused(of: shape.entity))
      // Nulls are looked for besides.
      let isMore = shape.form == .negated || shape.form == .aggregates || shape.form == .path && leaf == 1
      if isMore {
        #expect((shape.most(0, leaf: leaf) ?? 0) >= 4)
      } else {
        #expect(shape.most(0, leaf: leaf) == 8)
      }
      #expect((shape.most(2, leaf: leaf) ?? 0) >= 4 && (shape.most(20, leaf: leaf) ?? 0) >= 2)
    }
  }

  @Test(arguments: TestCases.some(Shape.all, every: 3))
  func `what is not too deep runs in every statement, with a scope, on pages after places; all else is one clear problem`(
    _ shape: Shape
  ) throws {
    try onSmallStack {
      var random = RandomSource(seed: 7)
      let rows = Library.rows(5, &random)
      let stores: [any EntityStore] = [try Stores.sqlite(for: Library.entities), try EvaluatorStore(Library.entities)]
      for store in stores { try Library.fill(store, rows) }
      let isSeen = Criteria.Condition.any([.compare(.field(FieldPath("id")), .greater, .value(0)), .isNull(.field(FieldPath("rank")))])
      let target = EntityTarget(shape.entity, scope: isSeen)
      for (leaf, levels) in TestCases.some(0...24, every: 12).enumerated() {
        let most = try #require(shape.most(levels, leaf: leaf))
        let deepest = shape.filter(levels, most, leaf: leaf)
        for filter in [deepest, .not(deepest)] where !filter.isRefused(of: shape.entity) {
          let answers = try stores.map { try Self.answers(of: $0, filter, in: target) }
          #expect(answers[0] == answers[1], "\(levels) levels, \(most) relationships")
          try Self.checkForm(filter, of: shape.entity)
        }
        let beyond = shape.filter(levels, most + (shape.isOfPairs ? 2 : 1), leaf: leaf)
        for store in stores {
          var criteria = Criteria()
          criteria.filter = beyond
          let error = #expect(throws: DAOError.self) { try store.count(in: target, criteria) }
          guard case .invalidCriteria(_, let problems)? = error else { Issue.record("\(String(describing: error))"); continue }
          #expect(problems.count == 1 && problems[0].message.contains("relationships"), "\(problems)")
        }
      }
    }
  }

  /// What every statement answers, in words.
  private static func answers(of store: any EntityStore, _ filter: Criteria.Condition, in target: EntityTarget) throws -> [String] {
    var criteria = Criteria()
    criteria.filter = filter
    criteria.orders = [Criteria.Ordering(.field(FieldPath("rank")), .descending), Criteria.Ordering(.field(FieldPath("name")))]
    func keys(_ rows: [DynamicEntity]) -> String { rows.map { "\($0.primaryKey.map { "\($0)" } ?? "")" }.joined(separator: " ") }
    var answers = [keys(try store.find(DynamicEntity.self, in: target, criteria))]
    answers.append("\(try store.count(in: target, criteria)) \(try store.exists(in: target, criteria))")
    for isBackward in [false, true] {
      var page = criteria
      if isBackward { page.orders = criteria.totalOrders(in: target.entity).map(\.reversed) }
      page.limit = 3
      var places: [[StoredValue]?] = [[.null, .text(""), .integer(0)], [.integer(1), .text("a"), .integer(3)], nil]
      while let place = places.popLast() {
        page.after = place
        let found = try store.page(DynamicEntity.self, in: target, page, size: 2)
        answers.append(keys(found.items))
        if place == nil, let last = found.ends.last { places.append(last) }
      }
    }
    var limited = criteria
    limited.limit = 1
    answers.append("\(try store.count(in: target, limited))")
    // Nothing is left of what they change.
    struct Undo: Error {}
    for criteria in [criteria, limited] {
      do {
        try store.write { store in
          answers.append("\(try store.update(in: target, criteria, set: [Criteria.Change(.field(FieldPath("rank")), .value(9))]))")
          answers.append("\(try store.delete(in: target, criteria))")
          throw Undo()
        }
      } catch is Undo {}
    }
    return answers
  }

  /// Written and read as JSON by both readers it is the same, and equal, and hashed alike.
  private static func checkForm(_ filter: Criteria.Condition, of entity: EntityDescription) throws {
    var criteria = Criteria()
    criteria.filter = filter
    let json = try criteria.json(of: entity)
    let read = try CriteriaDecoder(allowing: .everything, limits: .own).decode(Data(json.utf8), of: [entity]).criteria
    #expect(read == criteria && read.hashValue == criteria.hashValue)
  }

  @Test(arguments: Shape.all.filter { !$0.isOfPairs })
  func `what rows are ordered by may be as deep, on pages after places too`(_ shape: Shape) throws {
    try onSmallStack {
      var random = RandomSource(seed: 8)
      let rows = Library.rows(5, &random)
      let stores: [any EntityStore] = [try Stores.sqlite(for: Library.entities), try EvaluatorStore(Library.entities)]
      for store in stores { try Library.fill(store, rows) }
      let target = EntityTarget(Library.author, scope: shape.filter(3, 1, leaf: 0))
      for (leaf, levels) in TestCases.some(0...20, every: 7).enumerated() {
        func order(_ hops: Int) -> Criteria.Ordering {
          Criteria.Ordering(.related(.count, FieldPath("pupils"), nil, shape.filter(levels, hops, leaf: leaf)), .descending)
        }
        let most = try #require((0...7).last { !order($0).isRefused(of: Library.author) })
        var criteria = Criteria()
        criteria.filter = shape.filter(levels, shape.most(levels, leaf: 0) ?? 0, leaf: 0)
        criteria.orders = [order(most), order(0)]
        criteria.limit = 3
        let found = try stores.map { store in
          var page = criteria
          let first = try store.page(DynamicEntity.self, in: target, page, size: 2).items
          page.after = [.integer(1), .integer(1), .integer(0)]
          return try first + store.page(DynamicEntity.self, in: target, page, size: 2).items
        }
        #expect(found[0] == found[1])
      }
    }
  }

  @Test(arguments: Shape.all.filter { !$0.isOfPairs })
  func `what is projected may be as deep, in pages of groups and of different rows too`(_ shape: Shape) throws {
    try onSmallStack {
      var random = RandomSource(seed: 10)
      let rows = Library.rows(5, &random)
      let stores: [any EntityStore] = [try Stores.sqlite(for: Library.entities), try EvaluatorStore(Library.entities)]
      for store in stores { try Library.fill(store, rows) }
      let target = EntityTarget(Library.author, scope: shape.filter(3, 1, leaf: 0))
      @Sendable func term(_ levels: Int, _ hops: Int, leaf: Int) -> Criteria.Term {
        .related(.count, FieldPath("pupils"), nil, shape.filter(levels, hops, leaf: leaf))
      }
      @Sendable func deepest(_ levels: Int, leaf: Int) -> Int? {
        (0...7).last { !Criteria.Column(term(levels, $0, leaf: leaf)).isRefused(of: Library.author) }
      }
      for (leaf, levels) in TestCases.some(0...20, every: 7).enumerated() {
        let most = try #require(deepest(levels, leaf: leaf))
        for isGroup in [false, true] {
          var criteria = Criteria()
          criteria.filter = shape.filter(levels, shape.most(levels, leaf: 0) ?? 0, leaf: 0)
          criteria.columns = [Criteria.Column(term(levels, most, leaf: leaf), isGroup: isGroup, name: "n")]
          criteria.isDistinct = !isGroup
          criteria.limit = 3
          let found = try stores.map { try $0.report(in: target, criteria) { try $0.next(Int.self) } }
          #expect(found[0] == found[1])
        }
      }
      let deeperThanOrders = try (0...20).count { levels in
        let most = try #require(deepest(levels, leaf: levels))
        return Criteria.Ordering(term(levels, most, leaf: levels)).isRefused(of: Library.author)
      }
      #expect(deeperThanOrders > 0 || shape.form == .path)
    }
  }

  @Test func `a deep condition over ranges alone, by which a sample is taken, runs in every statement`() throws {
    @Sendable func range(_ number: Int) -> Criteria.Condition {
      .compare(.field(FieldPath("rank")), number % 3 == 0 ? .less : .greater, .value(2))
    }
    @Sendable func filter(_ levels: Int) -> Criteria.Condition {
      .some(FieldPath("pupils"), (0..<levels).reduce(range(0)) { $1 % 2 == 0 ? .all([range($1), $0]) : .any([$0, range($1)]) })
    }
    try onSmallStack {
      var random = RandomSource(seed: 9)
      let rows = Library.rows(5, &random)
      let sqlite = try Stores.sqlite(for: Library.entities)
      let stores: [any EntityStore] = [sqlite, try EvaluatorStore(Library.entities)]
      for store in stores { try Library.fill(store, rows) }
      let most = (0...24).last { !filter($0).isRefused(of: Library.author) } ?? 0
      #expect(most > 15)
      for levels in TestCases.some(0...most, every: 4) {
        for filter in [filter(levels), .not(filter(levels)), .all([filter(levels), .not(filter(most))])]
        where !filter.isRefused(of: Library.author) {
          var criteria = Criteria()
          criteria.filter = filter
          #expect(try SQLPlan.withStatement(.entities, criteria, in: EntityTarget(Library.author)).plan.sample != nil)
          let answers = try stores.map { try Self.answers(of: $0, filter, in: EntityTarget(Library.author)) }
          #expect(answers[0] == answers[1], "\(levels) levels")
        }
      }
    }
  }

  @Test func `the deepest that can be made is a clear problem`() throws {
    try onSmallStack {
      let stores: [any EntityStore] = [try Stores.sqlite(for: Library.entities), try EvaluatorStore(Library.entities)]
      // In each level as many functions as there may be, and in the innermost of them the next level.
      func filter(_ levels: Int, over hops: Int) -> Criteria.Condition {
        (0..<levels).reduce(Criteria.Condition.isNull(.field(FieldPath("rank")))) { inner, level in
          let start =
            level < hops
            ? Criteria.Term.related(.max, FieldPath(level % 2 == 0 ? "mentor" : "pupils"), .field(FieldPath("name")), inner)
            : .field(FieldPath("name"))
          let term = (1..<Criteria.Term.maximumDepth).reduce(start) { term, _ in .function(.lower, [term]) }
          let test = Criteria.Condition.compare(term, .notEqual, .value("a"))
          return level < hops ? test : level % 2 == 0 ? .all([test, inner]) : .any([test, inner])
        }
      }
      for (levels, hops) in [(4, 4), (5, 5), (20, 4), (7, 7), (8, 8), (16, 8), (24, 8)] {
        var criteria = Criteria()
        criteria.filter = filter(levels, over: hops)
        let problems = stores.map { store in
          let error = #expect(throws: DAOError.self) { try store.count(in: EntityTarget(Library.author), criteria) }
          guard case .invalidCriteria(_, let problems)? = error else { return ["\(String(describing: error))"] }
          return problems.map(\.message)
        }
        #expect(problems[0] == problems[1] && problems[0].allSatisfy { $0.contains("too much of both") }, "\(problems)")
      }
    }
  }

  @Test func `a scope that is as deep as the filter runs, or is a clear problem`() throws {
    try onSmallStack {
      let stores: [any EntityStore] = [try Stores.sqlite(for: Library.entities), try EvaluatorStore(Library.entities)]
      var (runs, refused) = (0, 0)
      for shape in Shape.all where !shape.isOfPairs {
        for levels in TestCases.some(Array(stride(from: 0, through: 24, by: 3)), every: 3) {
          let deepest = shape.filter(levels, shape.most(levels, leaf: 1) ?? 0, leaf: 1)
          let top = Criteria.Condition.compare(.field(FieldPath("rank")), .equal, .aggregate(.max, .field(FieldPath("rank"))))
          for (scope, filter) in [
            (deepest, deepest), (deepest, top), (shape.filter(levels, 0, leaf: 1), .all([top, shape.filter(levels, 0, leaf: 1)])),
          ] {
            let answers = stores.map { store in
              Result { try Self.answers(of: store, filter, in: EntityTarget(Library.author, scope: scope)) }
            }
            switch (answers[0], answers[1]) {
            case (.success(let left), .success(let right)):
              #expect(left == right)
              runs += 1
            case (.failure(DAOError.invalidCriteria(_, let left)), .failure(DAOError.invalidCriteria(_, let right))):
              #expect(left == right && left.allSatisfy { $0.message.contains("too much of both") }, "\(left)")
              refused += 1
            default: Issue.record("\(answers)")
            }
          }
        }
      }
      #expect(runs > TestCases.count(60, inSuite: 20) && refused > TestCases.count(5, inSuite: 0), "\(runs), \(refused)")
    }
  }
}

// Whether each is refused by itself.
extension Criteria.Ordering {
  fileprivate func isRefused(of entity: EntityDescription) -> Bool {
    var criteria = Criteria()
    criteria.orders = [self]
    return (try? criteria.check(.entities, in: EntityTarget(entity))) == nil
  }
}

extension Criteria.Column {
  fileprivate func isRefused(of entity: EntityDescription) -> Bool {
    var criteria = Criteria()
    criteria.columns = [self]
    return (try? criteria.check(.report, in: EntityTarget(entity))) == nil
  }
}
