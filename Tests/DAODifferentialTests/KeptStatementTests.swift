import DAOKit
import Testing

/// A statement is kept for all criteria of one form. Each of them is checked as the first was, also for the values that the statement
/// does not take.
struct KeptStatementTests {
  private static let note = EntityDescription(
    "note", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("text", .text, searchable: true), Attribute("details", .json, optional: true)])

  /// A call of one form, with a value that fits or with one that does not.
  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let run: @Sendable (any EntityStore, _ isFit: Bool) throws -> Int
  }

  private static func counting(
    _ name: String, _ change: @escaping @Sendable (inout Criteria, _ isFit: Bool) -> Void
  ) -> Form {
    Form(testDescription: name) { store, isFit in
      var criteria = Criteria()
      change(&criteria, isFit)
      return try store.count(in: EntityTarget(note), criteria)
    }
  }

  private static func like(_ isFit: Bool) -> Criteria.Condition {
    .matches(.field(FieldPath("text")), .like, .text(isFit ? "a" : String(repeating: "a", count: 20_001)), caseSensitive: true)
  }

  static let forms = [
    counting("a count, which leaves out the order") { criteria, isFit in
      let highlight = Criteria.SearchResult.highlight(FieldPath("text"), start: isFit ? "<" : "\0", end: ">")
      criteria.orders = [Criteria.Ordering(.search(highlight, Criteria.Search(FullTextQuery("word"))))]
    },
    counting("a page of no rows") { criteria, isFit in
      criteria.limit = 0
      criteria.offset = isFit ? 1 : -1
    },
    counting("a condition beside one that is never true") { criteria, isFit in
      criteria.filter = .all([like(isFit), .constant(false)])
    },
    counting("a term in no list") { criteria, isFit in
      criteria.filter = .not(.among(.json(.field(FieldPath("details")), [.place(isFit ? 1 : -1)], as: .integer), []))
    },
    Form(testDescription: "a scope that lets no row be seen") { store, isFit in
      let target = EntityTarget(note, scope: .all([like(isFit), .constant(false)]))
      return try store.delete(DynamicEntity.self, keys: [[.integer(1)]], in: target)
    },
  ]

  @Test(arguments: forms)
  func `a value that does not fit is a problem, whether the statement is new or kept`(_ form: Form) throws {
    func stores() throws -> [any EntityStore] {
      [EngineStore(try StoreDescription.inMemory().open([Self.note]).engine), try EvaluatorStore([Self.note])]
    }
    func refused(_ store: any EntityStore) throws -> [DAOError.CriteriaProblem] {
      let error = #expect(throws: DAOError.self) { try form.run(store, false) }
      guard case .invalidCriteria(_, let problems)? = error else {
        Issue.record("\(String(describing: error))")
        return []
      }
      return problems
    }
    let expected = try refused(try stores()[1])
    #expect(expected.count == 1)
    for store in try stores() { #expect(try refused(store) == expected) }
    for store in try stores() {
      let found = try form.run(store, true)
      #expect(try refused(store) == expected)
      #expect(try form.run(store, true) == found)
    }
  }
}
