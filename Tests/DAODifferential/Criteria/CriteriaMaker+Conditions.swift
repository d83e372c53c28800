import DAOKit
import Foundation

extension CriteriaMaker {
  mutating func condition(of entity: EntityDescription, hops: Int, depth: Int = 0) -> Criteria.Condition {
    switch random.below(depth > 3 ? 4 : 11) {
    case 0...3: return leaf(of: entity, hops: hops)
    case 4, 5: return .all((0..<random.below(4)).map { _ in condition(of: entity, hops: hops, depth: depth + 1) })
    case 6, 7: return .any((0..<random.below(4)).map { _ in condition(of: entity, hops: hops, depth: depth + 1) })
    case 8: return .not(condition(of: entity, hops: hops, depth: depth + 1))
    default:
      guard hops < 4, let (path, target) = path(from: entity, hops: hops, toOne: false) else { return leaf(of: entity, hops: hops) }
      let beyond = hops + path.names.count
      let inner: Criteria.Condition =
        switch random.below(5) {
        case 0: .constant(random.once(in: 2))
        case 1, 2: range(of: target)
        default: condition(of: target, hops: beyond, depth: depth + 1)
        }
      return switch random.below(3) {
      case 0: .some(path, inner)
      case 1: .not(.some(path, .not(inner)))
      default: .not(.some(path, inner))
      }
    }
  }

  /// What a sample of the rows decides about, where it is in a quantifier.
  private mutating func range(of entity: EntityDescription) -> Criteria.Condition {
    let field = field(of: entity)
    return .compare(field.term, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), .value(literal(field.type)))
  }

  private mutating func leaf(of entity: EntityDescription, hops: Int) -> Criteria.Condition {
    if random.once(in: 25) { return .constant(random.once(in: 2)) }
    if random.once(in: 10), let search = search(of: entity, hops: hops) { return .search(search) }
    return leaf(term(of: entity, hops: hops)) { $0.term(of: entity, comparableWith: $1, hops: hops) }
  }

  /// A comparison of a term with what is made beside it.
  mutating func leaf(_ typed: Typed, beside other: (inout CriteriaMaker, AttributeType) -> Typed) -> Criteria.Condition {
    let (term, type) = (typed.term, typed.type)
    switch random.below(type.isTextual ? 13 : 8) {
    case 0, 1:
      return .compare(term, random.pick([.equal, .notEqual]), random.once(in: 4) ? .value(.null) : other(&self, type).term)
    case 2, 3:
      let comparison = random.pick([Criteria.Comparison.less, .lessOrEqual, .greater, .greaterOrEqual])
      return random.once(in: 4) ? .compare(.value(literal(type)), comparison, term) : .compare(term, comparison, other(&self, type).term)
    case 4:
      return random.once(in: 4)
        ? .between(.value(literal(type)), term, other(&self, type).term)
        : .between(term, other(&self, type).term, other(&self, type).term)
    case 5:
      let count = random.once(in: 30) ? 300 : random.pick([0, 1, 2, 5])
      return .among(term, (0..<count).map { _ in random.once(in: 6) ? .null : literal(type) })
    case 6, 7: return .isNull(term)
    default: return .matches(term, random.pick(Criteria.TextComparison.allCases), .text(pattern()), caseSensitive: random.once(in: 2))
    }
  }

  /// A double or an instant beside a literal that it nearly equals, and nothing else to decide.
  mutating func nearlyEqual(of entity: EntityDescription) -> Criteria.Condition {
    guard let attribute = entity.attributes.filter({ $0.type.hasNeighbours }).randomElement(using: &random)
    else {
      return leaf(of: entity, hops: 0)
    }
    func near(_ maker: inout CriteriaMaker) -> Scalar {
      switch maker.literal(attribute.type) {
      // A larger one is an integer already, and so are its neighbours.
      case .real(let value) where value.magnitude < 0x1p63: .integer(Int64(value) &+ Int64(maker.random.below(3) - 1))
      case .date(let date):
        .date(Date(timeIntervalSinceReferenceDate: maker.random.pick([0, 0, 1e-7, -1e-7]) + date.timeIntervalSinceReferenceDate))
      case let other: other
      }
    }
    let (field, literal) = (Criteria.Term.field(.root.appending(attribute.name)), near(&self))
    switch random.below(5) {
    case 0: return .among(field, [literal, near(&self)])
    case 1: return .between(field, .value(literal), .value(near(&self)))
    case 2: return .compare(.value(literal), random.pick(Criteria.Comparison.allCases), field)
    default: return .compare(field, random.pick(Criteria.Comparison.allCases), .value(literal))
    }
  }

  /// A text beside a pattern that it nearly fits, and nothing else to decide.
  mutating func textMatch(of entity: EntityDescription) -> Criteria.Condition {
    guard let attribute = entity.attributes.filter(\.type.isTextual).randomElement(using: &random) else { return leaf(of: entity, hops: 0) }
    let match = Criteria.Condition.matches(
      .field(.root.appending(attribute.name)), random.pick(Criteria.TextComparison.allCases), .text(pattern(attribute.type)),
      caseSensitive: random.once(in: 3))
    return random.once(in: 3) ? .not(match) : match
  }

  /// A pattern from the pool, or one that a text which is there nearly fits: the whole, a part, in another case or spelling, with `*` or
  /// `?` in place of some, or with a backslash before one.
  private mutating func pattern(_ type: AttributeType = .text) -> String {
    guard !random.once(in: 5), case .text(let text) = literal(type) else { return random.pick(Values.patterns) }
    var scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty else { return "" }
    let place = random.below(scalars.count)
    switch random.below(12) {
    case 0: scalars.removeFirst()
    case 1: scalars.removeLast()
    case 2: scalars[place] = "?"
    case 3: scalars.replaceSubrange(place..., with: ["*"])
    case 4: scalars.insert("*", at: place)
    case 5, 6: scalars.insert("\\", at: scalars.firstIndex { $0 == "*" || $0 == "?" } ?? place)
    case 7: scalars.append("\\")
    case 8: return text.uppercased()
    case 9: return text.lowercased()
    case 10: return random.once(in: 2) ? text.decomposedStringWithCanonicalMapping : text.precomposedStringWithCanonicalMapping
    default: break
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension AttributeType {
  /// Whether a literal may nearly equal a value: a double, or a date that is read from several values.
  fileprivate var hasNeighbours: Bool {
    switch self {
    case .real, .date(.unixSeconds), .date(.unixMicroseconds), .date(.unixNanoseconds), .date(.julianDays), .date(.text): true
    default: false
    }
  }
}
