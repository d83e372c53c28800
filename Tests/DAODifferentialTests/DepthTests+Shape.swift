import CriteriaTesting
import DAOKit
import Testing

// How the filters of the tests are built.
extension DepthTests {
  /// How a filter is built of levels and relationships.
  enum Form: CaseIterable {
    /// `a && (b || … any { any { leaf } })`
    case levelsAround
    /// `any { any { a && (b || … leaf) } }`
    case levelsWithin
    /// `any { a || any { a && … } }`
    case inTurns
    /// The same, each with `none`.
    case negated
    /// `a && (b || … \.mentor.mentor.rank == 1)`
    case path
    /// `.count(\.pupils, where: a && .count(…) > 0) > 0`
    case aggregates
  }

  /// A filter of authors, or of books, where relationships go through pairs.
  struct Shape: CustomTestStringConvertible, Sendable {
    let form: Form
    let isOfPairs: Bool

    var entity: EntityDescription { isOfPairs ? Library.book : Library.author }
    var testDescription: String { "\(form)\(isOfPairs ? " through pairs" : "")" }

    static let all = Form.allCases.flatMap { form in
      [false, true].filter { form != .path || !$0 }.map { Shape(form: form, isOfPairs: $0) }
    }

    private static let rank = Criteria.Term.field(FieldPath("rank"))

    /// A condition that either end of a relationship has.
    private func leaf(_ number: Int, on term: Criteria.Term = Shape.rank) -> Criteria.Condition {
      switch number % 4 {
      case 0: .compare(term, .greaterOrEqual, .value(1))
      case 1: .among(term, [0, 2, .null])
      case 2: .between(term, .value(2), .value(3))
      default: .isNull(term)
      }
    }

    /// The inner one stands first. A walk that goes down twice in each level, to learn whether a condition is true of all rows and whether
    /// of none, would not end.
    private func level(_ number: Int, _ inner: Criteria.Condition) -> Criteria.Condition {
      number % 2 == 0 ? .all([inner, leaf(number)]) : .any([inner, leaf(number)])
    }

    private func levels(_ count: Int, around inner: Criteria.Condition) -> Criteria.Condition {
      (0..<count).reduce(inner) { level($1, $0) }
    }

    /// Of a book the second entity is a tag; the hops go there and back, ending with a book.
    private func hop(_ number: Int) -> String { isOfPairs ? ["books", "tags"][number % 2] : ["mentor", "pupils"][number % 2] }

    /// The filter with so many levels and relationships. Through pairs it has an even number of them.
    func filter(_ levels: Int, _ hops: Int, leaf number: Int) -> Criteria.Condition {
      let leaf = leaf(number)
      func relationships(around inner: Criteria.Condition) -> Criteria.Condition {
        (0..<hops).reduce(inner) { .some(FieldPath(hop($1)), $0) }
      }
      switch form {
      case .levelsAround: return self.levels(levels, around: relationships(around: leaf))
      case .levelsWithin: return relationships(around: self.levels(levels, around: leaf))
      case .inTurns, .negated:
        var filter = leaf
        for step in 0..<max(levels, hops) {
          if step < levels { filter = level(step, filter) }
          if step < hops {
            filter = .some(FieldPath(hop(step)), filter)
            if form == .negated { filter = .not(filter) }
          }
        }
        return filter
      case .path:
        let path = (0..<hops).reduce(FieldPath.root) { path, _ in path.appending("mentor") }.appending("rank")
        return self.levels(levels, around: self.leaf(number, on: .field(path)))
      case .aggregates:
        let counted = (0..<hops).reduce(leaf) { inner, step in
          .compare(.value(0), .less, .related(.count, FieldPath(hop(step)), nil, inner))
        }
        return self.levels(levels, around: counted)
      }
    }

    /// The most relationships that fit so many levels.
    func most(_ levels: Int, leaf: Int) -> Int? {
      stride(from: 8, through: 0, by: isOfPairs ? -2 : -1).first { !filter(levels, $0, leaf: leaf).isRefused(of: entity) }
    }
  }
}

extension Criteria.Condition {
  /// Whether it is refused by itself.
  func isRefused(of entity: EntityDescription) -> Bool {
    var criteria = Criteria()
    criteria.filter = self
    return (try? criteria.check(.entities, in: EntityTarget(entity))) == nil
  }
}
