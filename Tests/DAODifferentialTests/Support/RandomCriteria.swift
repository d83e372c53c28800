import DAODifferential
import DAOKit
import Foundation
import TestCases

/// Makes valid criteria of every form.
struct RandomCriteria {
  var random: RandomSource
  /// The rows that will be asked for; every other literal is one of their values.
  let rows: [[String: Scalar]]
  /// Whether sums and magnitudes of extreme values may be part of it.
  var allowsOverflow = false

  private let attributes = Everything.entity.attributes

  // MARK: Criteria

  mutating func entities() -> Criteria {
    var criteria = Criteria()
    criteria.filter = filter()
    if !random.once(in: 3) { criteria.orders = (0...random.below(3)).map { _ in order(rowTerm(pickType())) } }
    page(&criteria)
    // Without a page only the key makes the order total.
    if criteria.limit == nil, criteria.offset == nil, !criteria.orders.isEmpty { criteria.orders.append(order(.field(FieldPath("id")))) }
    return criteria
  }

  mutating func report() -> Criteria {
    var criteria = entities()
    criteria.orders = []
    switch random.below(4) {
    case 0: rows(&criteria, isDistinct: false)
    case 1: rows(&criteria, isDistinct: true)
    case 2: groups(&criteria)
    default:
      criteria.columns = named((0...random.below(3)).map { _ in Criteria.Column(aggregate(pickType())) })
      if criteria.limit != nil || criteria.offset != nil, random.once(in: 2) { criteria.orders = [order(rowTerm(pickType()))] }
    }
    return criteria
  }

  private mutating func rows(_ criteria: inout Criteria, isDistinct: Bool) {
    criteria.isDistinct = isDistinct
    criteria.columns = named(
      (0...random.below(3)).map { _ in Criteria.Column(random.once(in: 8) ? highlight() : rowTerm(pickType())) })
    guard random.once(in: 2) else { return }
    if isDistinct {
      criteria.orders = criteria.columns.shuffled(using: &random).map { order($0.term) }
    } else {
      criteria.orders = [order(rowTerm(pickType())), order(.field(FieldPath("id")))]
    }
  }

  private mutating func groups(_ criteria: inout Criteria) {
    let groups = (0...random.below(2)).map { _ in rowTerm(pickType()) }
    criteria.columns = groups.map { Criteria.Column($0, isGroup: true) }
    criteria.columns += (0..<random.below(3)).map { _ in Criteria.Column(aggregate(pickType())) }
    if random.once(in: 3) {
      criteria.columns.append(Criteria.Column(.function(.coalesce, [.aggregate(.max, field(.text)), .value("none")])))
    }
    criteria.columns = named(criteria.columns)
    if random.once(in: 2) {
      let outer = self
      criteria.having = having(groups, types: groups.compactMap { outer.type(of: $0) })
    }
    criteria.isDistinct = random.once(in: 4)
    if random.once(in: 2) {
      criteria.orders = (random.once(in: 2) ? [order(aggregate(pickType()))] : []) + groups.map { order($0) }
    }
  }

  private mutating func having(_ groups: [Criteria.Term], types: [AttributeType]) -> Criteria.Condition {
    (0...random.below(2)).reduce(Criteria.Condition.constant(true)) { condition, _ in
      let type = pickType()
      let next =
        random.once(in: 3)
        ? leaf(groups[0], types[0], allowsTerms: false) : leaf(aggregate(type), type, allowsTerms: false)
      return random.once(in: 2) ? .all([condition, .not(next)]) : .any([next, .not(condition)])
    }
  }

  private func named(_ columns: [Criteria.Column]) -> [Criteria.Column] {
    columns.enumerated().map { $1.named("\($0) \($1.name)") }
  }

  private mutating func page(_ criteria: inout Criteria) {
    if random.once(in: 3) { criteria.limit = random.pick([0, 1, 2, 5, 100, .max]) }
    if random.once(in: 4) { criteria.offset = random.pick([0, 1, 3, 100]) }
  }

  mutating func order(_ term: Criteria.Term) -> Criteria.Ordering {
    Criteria.Ordering(term, random.once(in: 2) ? .ascending : .descending, nulls: random.pick([nil, .first, .last]))
  }

  /// What a DAO lets be seen: often a tenant, seldom something odd.
  mutating func scope() -> Criteria.Condition {
    switch random.below(4) {
    case 0: .not(.compare(field(.text), .equal, .value(random.pick(Everything.pool("", .text)))))
    case 1: .constant(random.once(in: 2))
    default: .compare(.field(FieldPath("tenant")), .equal, .value(1))
    }
  }

  mutating func changes() -> [Criteria.Change] {
    attributes.dropFirst(2).shuffled(using: &random).prefix(1 + random.below(3)).map { attribute in
      if attribute.isOptional, random.once(in: 3) { return Criteria.Change(.field(FieldPath(attribute.name)), .value(.null)) }
      if attribute.isOptional || Everything.small.contains(attribute.name), random.once(in: 2) {
        let other = attribute.isOptional ? term(attribute.type) : .field(FieldPath(attribute.name))
        return Criteria.Change(.field(FieldPath(attribute.name)), other)
      }
      return Criteria.Change(.field(FieldPath(attribute.name)), .value(random.pick(Everything.pool(attribute.name, attribute.type))))
    }
  }

  // MARK: Filters

  mutating func filter(depth: Int = 0) -> Criteria.Condition {
    switch random.below(depth > 3 ? 4 : 9) {
    case 0...4:
      if random.once(in: 12) { return .search(search()) }
      let type = pickType()
      return leaf(term(type), type)
    case 5: return .all((0..<random.below(4)).map { _ in filter(depth: depth + 1) })
    case 6: return .any((0..<random.below(4)).map { _ in filter(depth: depth + 1) })
    case 7: return .not(filter(depth: depth + 1))
    default: return .constant(random.once(in: 3))
    }
  }

  mutating func leaf(_ term: Criteria.Term, _ type: AttributeType, allowsTerms: Bool = true) -> Criteria.Condition {
    switch random.below(type == .text || type == .json ? 12 : 6) {
    case 0, 1: return .compare(term, random.pick([.equal, .notEqual]), random.once(in: 4) ? .value(.null) : operand(type, allowsTerms))
    case 2:
      let comparison = random.pick([Criteria.Comparison.less, .lessOrEqual, .greater, .greaterOrEqual])
      return random.once(in: 5) ? .compare(.value(literal(type)), comparison, term) : .compare(term, comparison, operand(type, allowsTerms))
    case 3:
      return random.once(in: 4)
        ? .between(.value(literal(type)), term, operand(type, allowsTerms))
        : .between(term, operand(type, allowsTerms), operand(type, allowsTerms))
    case 4:
      let count = random.pick([0, 1, 2, 5, 300])
      return .among(term, (0..<count).map { _ in random.once(in: 6) ? .null : literal(type) })
    case 5: return .isNull(term)
    default:
      return .matches(
        term, random.pick(Criteria.TextComparison.allCases), .text(pattern()), caseSensitive: random.once(in: 2))
    }
  }

  private static let searchable = Everything.entity.searchableAttributes.map(\.name)

  private mutating func search() -> Criteria.Search {
    let text = random.pick(Everything.texts) + random.pick(["", "", " ", "-b"])
    return Criteria.Search(
      FieldPath(random.once(in: 2) ? "" : random.pick(Self.searchable)),
      FullTextQuery(text, random.pick(FullTextQuery.Kind.allCases), prefix: random.once(in: 2)))
  }

  private mutating func highlight() -> Criteria.Term {
    .search(.highlight(FieldPath(random.pick(Self.searchable)), start: "<", end: random.pick([">", ""])), search())
  }

  /// A pattern from the pool, or one that a text which is there nearly fits: the whole, a part, or with `*` or `?` in place of some.
  private mutating func pattern() -> String {
    guard !random.once(in: 3), case .text(let text) = literal(.text) else { return random.pick(Everything.patterns) }
    var scalars = Array(text.unicodeScalars)
    if !scalars.isEmpty {
      let place = random.below(scalars.count)
      switch random.below(6) {
      case 0: scalars.removeFirst()
      case 1: scalars.removeLast()
      case 2: scalars[place] = "?"
      case 3: scalars.replaceSubrange(place..., with: ["*"])
      default: break
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private mutating func operand(_ type: AttributeType, _ allowsTerms: Bool) -> Criteria.Term {
    allowsTerms && random.once(in: 2) ? term(type) : .value(literal(type))
  }

  private mutating func literal(_ type: AttributeType) -> Scalar {
    if type == .real || type == .decimal(.text), random.once(in: 5) { return .integer(Int64(random.below(4))) }
    if random.once(in: 2), !rows.isEmpty {
      let (row, fitting) = (random.pick(rows), attributes.filter { $0.type == type }.map(\.name))
      if let value = row[random.pick(fitting)], !value.isNull { return value }
    }
    return random.pick(Everything.pool("", type))
  }

  // MARK: Terms

  mutating func pickType() -> AttributeType { random.once(in: 3) ? .text : random.pick(attributes).type }

  private mutating func field(_ type: AttributeType, small: Bool = false) -> Criteria.Term {
    let fitting = attributes.filter { $0.type == type && (!small || Everything.small.contains($0.name)) }
    return .field(FieldPath(random.pick(fitting).name))
  }

  /// An attribute, a function or an aggregate with values of a type.
  mutating func term(_ type: AttributeType) -> Criteria.Term { random.once(in: 6) ? aggregate(type) : rowTerm(type) }

  /// An attribute or a function of some.
  mutating func rowTerm(_ type: AttributeType) -> Criteria.Term {
    if random.once(in: 2) { return field(type) }
    if random.once(in: 3) {
      switch random.below(4) {
      case 0: return .function(.coalesce, [field(type)])
      case 1: return .function(.coalesce, [.value(.null), field(type), .value(literal(type))])
      case 2 where type == .real: return .function(.coalesce, [field(.integer), field(.real)])
      default: return .function(.coalesce, [field(type), random.once(in: 2) ? field(type) : .value(literal(type))])
      }
    }
    switch type {
    case .text:
      return .function(
        random.pick([.lower, .upper, .trim]), [random.once(in: 4) ? rowTerm(.text) : field(random.once(in: 3) ? .json : .text)])
    case .integer:
      return random.once(in: 2)
        ? .function(.length, [rowTerm(.text)])
        : .function(random.pick([.abs, .round]), [field(.integer, small: !allowsOverflow)])
    case .real: return .function(random.pick([.abs, .round]), [field(.real)])
    case .decimal(.scaled): return .function(.abs, [field(type, small: !allowsOverflow)])
    default: return field(type)
    }
  }

  /// An aggregate with values of a type.
  mutating func aggregate(_ type: AttributeType) -> Criteria.Term {
    switch (type, random.below(4)) {
    case (.integer, 0): return .aggregate(.count, nil)
    case (.integer, 1): return .aggregate(random.pick([.count, .countDistinct]), rowTerm(pickType()))
    case (.integer, 2), (.decimal(.scaled), 0): return .aggregate(.sum, field(type, small: !allowsOverflow))
    case (.decimal(.text), 0): return .aggregate(.sum, field(type, small: !allowsOverflow))
    case (.decimal(.text), 1): return .aggregate(.average, field(random.once(in: 2) ? type : .decimal(.scaled(2)), small: true))
    case (.real, 0): return .aggregate(.average, field(random.once(in: 2) ? .real : .integer, small: true))
    case (.real, 1): return .aggregate(.sum, field(.real, small: true))
    default: return .aggregate(random.pick([.min, .max]), rowTerm(type))
    }
  }

  private func type(of term: Criteria.Term) -> AttributeType? {
    switch term {
    case .field(let path): Everything.entity[path.description]?.type
    case .function(.length, _): .integer
    case .function(.lower, _), .function(.upper, _), .function(.trim, _): .text
    case .function(.coalesce, let terms) where terms.contains { type(of: $0) == .real }: .real
    case .function(_, let terms): terms.lazy.compactMap { type(of: $0) }.first
    default: nil
    }
  }
}
