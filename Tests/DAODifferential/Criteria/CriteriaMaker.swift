import DAOKit
import Foundation
import TestCases

/// Makes criteria of every form that fit a world, drawn from its values every other time.
package struct CriteriaMaker {
  package var random: RandomSource
  let entities: [EntityDescription]
  private let known: [AttributeType: [Scalar]]
  /// The texts that are searched.
  let sentences: [String]
  /// Whether sums and magnitudes of extreme numbers may be part of it.
  var allowsOverflow = false
  /// Whether aggregates over all visible rows may be part of it.
  var allowsAggregates = true

  package init(_ world: World, _ entities: [EntityDescription], _ random: RandomSource) {
    self.random = random
    self.entities = entities
    var known: [AttributeType: [Scalar]] = [:]
    var sentences: [String] = []
    for (table, rows) in zip(world.schema.tables, world.rows) {
      for row in rows {
        for (attribute, value) in zip(table.attributes, row) where !value.isNull {
          known[attribute.type, default: []].append(value)
          if attribute.isSearchable, case .text(let text) = value { sentences.append(text) }
        }
      }
    }
    for stray in world.strays {
      guard let type = entities[stray.table][stray.attribute]?.type, let value = try? type.scalar(stray.value) else { continue }
      known[type, default: []].append(value)
    }
    (self.known, self.sentences) = (known, sentences)
  }

  // MARK: Whole criteria

  /// Criteria of any form, and the entity that they are of.
  package mutating func any() -> (EntityDescription, Criteria) {
    let entity = random.pick(entities)
    return (entity, random.once(in: 2) ? entities(of: entity) : report(of: entity))
  }

  /// One that finds entities.
  mutating func entities(of entity: EntityDescription) -> Criteria {
    var criteria = Criteria()
    if !random.once(in: 6) { criteria.filter = condition(of: entity, hops: 0) }
    if !random.once(in: 3) { criteria.orders = (0...random.below(3)).map { _ in order(rowTerm(of: entity, hops: 0).term) } }
    page(&criteria)
    // Without a page only the key makes the order total.
    if criteria.limit == nil, criteria.offset == nil, !criteria.orders.isEmpty { criteria.orders += keyOrders(of: entity) }
    return criteria
  }

  /// One that is reported.
  mutating func report(of entity: EntityDescription) -> Criteria {
    var criteria = entities(of: entity)
    criteria.orders = []
    switch random.below(5) {
    case 0, 1:
      criteria.isDistinct = random.once(in: 2)
      let terms = (0...random.below(3)).map { _ in rowTerm(of: entity, hops: 0).term }
      criteria.columns = terms.enumerated().map { Criteria.Column($1, name: "\($0)") }
      if criteria.isDistinct {
        if random.once(in: 2) { criteria.orders = terms.shuffled(using: &random).map { order($0) } }
      } else if random.once(in: 2) {
        criteria.orders = [order(rowTerm(of: entity, hops: 0).term)] + keyOrders(of: entity)
      }
    case 2, 3: group(&criteria, entity)
    default:
      criteria.columns = (0...random.below(3)).map { Criteria.Column(aggregate(of: entity, hops: 0).term, name: "\($0)") }
      if criteria.limit != nil || criteria.offset != nil, random.once(in: 2) {
        criteria.orders = [order(rowTerm(of: entity, hops: 0).term)]
      }
    }
    return criteria
  }

  private mutating func group(_ criteria: inout Criteria, _ entity: EntityDescription) {
    let groups = (0...random.below(2)).map { _ in rowTerm(of: entity, hops: 0) }
    var columns = groups.map { Criteria.Column($0.term, isGroup: true) }
    columns += (0..<random.below(3)).map { _ in Criteria.Column(aggregate(of: entity, hops: 0).term) }
    criteria.columns = columns.enumerated().map { $1.named("\($0)") }
    criteria.isDistinct = random.once(in: 5)
    if random.once(in: 2) {
      criteria.having = (0...random.below(2)).reduce(Criteria.Condition.constant(true)) { having, _ in
        let tested = random.once(in: 3) ? random.pick(groups) : aggregate(of: entity, hops: 0)
        let next = leaf(tested, beside: { maker, type in Typed(.value(maker.literal(type)), type) })
        return random.once(in: 2) ? .all([having, .not(next)]) : .any([next, .not(having)])
      }
    }
    if random.once(in: 2) {
      criteria.orders = (random.once(in: 2) ? [order(aggregate(of: entity, hops: 0).term)] : []) + groups.map { order($0.term) }
    }
  }

  /// A condition that every store has to look at in every row, a report of one aggregate, or a condition of rows that are reached: so that
  /// an overflow is one for all, and none for rows that nothing leads to.
  mutating func overflowing(of entity: EntityDescription) -> Criteria {
    allowsOverflow = true
    defer { allowsOverflow = false }
    var criteria = Criteria()
    if random.once(in: 9), let (path, target) = path(from: entity, hops: 0, toOne: false), let unstored = unstored(of: target) {
      let inner = Criteria.Condition.all(unstored)
      criteria.filter =
        random.once(in: 2) ? .some(path, inner) : .compare(.related(.count, path, nil, inner), .equal, .value(0))
    } else if random.once(in: 3), let unstored = unstored(of: entity) {
      criteria.filter = .all(unstored)
    } else if random.once(in: 3), let beyond = beyondRelationships(of: entity) {
      criteria.filter = beyond
    } else if random.once(in: 2) {
      let term = random.once(in: 2) ? aggregate(of: entity, hops: 0) : rowTerm(of: entity, hops: 0)
      criteria.filter = leaf(term, beside: { maker, type in Typed(.value(maker.literal(type)), type) })
    } else {
      criteria.columns = [Criteria.Column(aggregate(of: entity, hops: 0).term, name: "a")]
    }
    return criteria
  }

  /// What may fail of a number, and what asks for that number: often one that no row has.
  private mutating func unstored(of entity: EntityDescription) -> [Criteria.Condition]? {
    let numbers = entity.attributes.filter { [.integer, .decimal(.scaled(2)), .any].contains($0.type) }
    guard let attribute = numbers.randomElement(using: &random) else { return nil }
    let number = Criteria.Term.field(.root.appending(attribute.name))
    let abs = Typed(.function(.abs, [number]), attribute.type)
    let failing = leaf(abs, beside: { maker, type in Typed(.value(maker.literal(type)), type) })
    let least: Scalar = attribute.type == .decimal(.scaled(2)) ? .decimal(Decimal(Int64.min) / 100) : .integer(.min)
    let equal = Criteria.Condition.compare(number, .equal, .value(random.once(in: 2) ? least : literal(attribute.type)))
    return [failing, equal].shuffled(using: &random)
  }

  /// What may fail, over rows that one or two relationships lead to.
  private mutating func beyondRelationships(of entity: EntityDescription, hops: Int = 0) -> Criteria.Condition? {
    guard let (path, target) = path(from: entity, hops: hops, toOne: false) else { return nil }
    let beyond = hops + path.names.count
    if beyond < 3, random.once(in: 3), let inner = beyondRelationships(of: target, hops: beyond) {
      return random.once(in: 2) ? .some(path, inner) : .not(.some(path, .not(inner)))
    }
    let term = random.once(in: 4) ? aggregate(of: target, hops: beyond) : numberTerm(of: target, hops: beyond)
    let inner = leaf(term, beside: { maker, type in Typed(.value(maker.literal(type)), type) })
    return random.once(in: 3) ? .not(.some(path, inner)) : .some(path, inner)
  }

  private mutating func page(_ criteria: inout Criteria) {
    if random.once(in: 3) { criteria.limit = random.pick([0, 1, 2, 5, 100, .max]) }
    if random.once(in: 4) { criteria.offset = random.pick([0, 1, 3, 100]) }
  }

  mutating func order(_ term: Criteria.Term) -> Criteria.Ordering {
    Criteria.Ordering(term, random.once(in: 2) ? .ascending : .descending, nulls: random.pick([nil, .first, .last]))
  }

  private mutating func keyOrders(of entity: EntityDescription) -> [Criteria.Ordering] {
    entity.key.attributes.map { order(.field(.root.appending($0))) }
  }

  /// What a DAO lets be seen.
  mutating func scope(of entity: EntityDescription) -> Criteria.Condition {
    allowsAggregates = false
    defer { allowsAggregates = true }
    return random.once(in: 6) ? .constant(random.once(in: 2)) : condition(of: entity, hops: 2, depth: 2)
  }

  /// New values for some attributes.
  mutating func changes(of entity: EntityDescription) -> [Criteria.Change] {
    entity.writtenAttributes.filter { !entity.key.attributes.contains($0.name) }.shuffled(using: &random).prefix(1 + random.below(2)).map {
      attribute in
      let target = Criteria.Term.field(.root.appending(attribute.name))
      if attribute.isOptional, random.once(in: 4) { return Criteria.Change(target, .value(.null)) }
      if random.once(in: 2) { return Criteria.Change(target, .value(literal(attribute.type, isSmall: attribute.isSmall))) }
      let own = entity.attributes.filter { $0.type == attribute.type }
      let other = Criteria.Term.field(.root.appending(random.pick(own).name))
      return Criteria.Change(target, random.once(in: 3) ? .function(.coalesce, [other, .value(literal(attribute.type))]) : other)
    }
  }

  // MARK: Values

  /// A value of a type: one that is there, or any.
  mutating func literal(_ type: AttributeType, isSmall: Bool = false) -> Scalar {
    let isDecimal = if case .decimal = type { true } else { false }
    if type == .real || isDecimal, random.once(in: 6) {
      return type == .real && random.once(in: 2) ? .integer(random.pick(Values.betweenDoubles)) : .integer(Int64(random.below(4)))
    }
    if !isSmall, random.once(in: 2), let there = known[type] { return random.pick(there) }
    return random.pick(Values.of(type, isSmall: isSmall))
  }
}

/// A term with the type of its values.
struct Typed {
  let term: Criteria.Term
  let type: AttributeType

  init(_ term: Criteria.Term, _ type: AttributeType) { (self.term, self.type) = (term, type) }
}
