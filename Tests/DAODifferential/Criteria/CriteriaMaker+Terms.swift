import DAOKit

extension CriteriaMaker {
  /// An attribute, what a relationship leads to, what a search marks, or a function of such: one value a row.
  mutating func rowTerm(of entity: EntityDescription, hops: Int, depth: Int = 0) -> Typed {
    switch random.below(depth > 2 ? 8 : 17) {
    case 0...5: return field(of: entity)
    case 6, 7: return relatedField(of: entity, hops: hops) ?? field(of: entity)
    case 8, 9: return related(of: entity, hops: hops) ?? field(of: entity)
    case 10, 11: return function(of: .text, entity, hops: hops, depth: depth)
    case 12: return function(of: random.pick([.number, .number, .date]), entity, hops: hops, depth: depth)
    case 13: return highlight(of: entity) ?? field(of: entity)
    case 14, 15: return document(of: entity, hops: hops) ?? field(of: entity)
    default: return coalesce(of: entity, hops: hops, depth: depth)
    }
  }

  /// The same, or an aggregate over all visible rows.
  mutating func term(of entity: EntityDescription, hops: Int) -> Typed {
    allowsAggregates && random.once(in: 7) ? aggregate(of: entity, hops: hops) : rowTerm(of: entity, hops: hops)
  }

  /// A term that a type's values compare with, or a value.
  mutating func term(of entity: EntityDescription, comparableWith type: AttributeType, hops: Int) -> Typed {
    if random.once(in: 2) {
      for _ in 0..<6 {
        let other = term(of: entity, hops: hops)
        if other.type.compares(with: type) { return other }
      }
    }
    return Typed(.value(literal(type)), type)
  }

  mutating func field(of entity: EntityDescription) -> Typed {
    let attribute = random.pick(entity.attributes)
    return Typed(.field(.root.appending(attribute.name)), attribute.type)
  }

  private mutating func relatedField(of entity: EntityDescription, hops: Int) -> Typed? {
    guard let (path, target) = path(from: entity, hops: hops, toOne: true) else { return nil }
    let attribute = random.pick(target.attributes)
    return Typed(.field(path.appending(attribute.name)), attribute.type)
  }

  /// An aggregate over rows that a relationship leads to.
  private mutating func related(of entity: EntityDescription, hops: Int) -> Typed? {
    guard hops < 3, let (path, target) = path(from: entity, hops: hops, toOne: false) else { return nil }
    let condition: Criteria.Condition =
      random.once(in: 2) ? .constant(true) : condition(of: target, hops: hops + path.names.count, depth: 3)
    if random.once(in: 3) { return Typed(.related(.count, path, nil, condition), .integer) }
    let aggregate = aggregate(over: target, hops: hops + path.names.count)
    let inner = argument(of: target, for: aggregate, hops: hops + path.names.count)
    return Typed(.related(aggregate, path, inner.term, condition), aggregate.type(of: inner.type))
  }

  /// An aggregate over all visible rows, or over a group.
  mutating func aggregate(of entity: EntityDescription, hops: Int) -> Typed {
    if random.once(in: 6) { return Typed(.aggregate(.count, nil), .integer) }
    let aggregate = self.aggregate(over: entity, hops: hops)
    let inner = argument(of: entity, for: aggregate, hops: hops)
    return Typed(.aggregate(aggregate, inner.term), aggregate.type(of: inner.type))
  }

  /// Any aggregate over rows of an entity.
  private mutating func aggregate(over entity: EntityDescription, hops: Int) -> Aggregate {
    switch random.pick(Aggregate.Kind.allCases) {
    case .min: return .min
    case .max: return .max
    case .sum: return .sum
    case .average: return .average
    case .count: return .count
    case .countDistinct: return .countDistinct
    case .groupConcat:
      let orders = (0..<random.below(3)).map { _ in
        let direction: Criteria.Ordering.Direction = random.once(in: 2) ? .ascending : .descending
        return Criteria.Ordering(rowTerm(of: entity, hops: hops + 2, depth: 2).term, direction, nulls: random.once(in: 2) ? .first : .last)
      }
      return .groupConcat(separator: random.pick([", ", "", "-"]), order: orders)
    }
  }

  private mutating func argument(of entity: EntityDescription, for aggregate: Aggregate, hops: Int) -> Typed {
    if aggregate.kind == .groupConcat { return function(of: .text, entity, hops: hops, depth: 2).asText }
    guard aggregate == .sum || aggregate == .average else { return rowTerm(of: entity, hops: hops + 2, depth: 2) }
    if let number = number(of: entity) { return number }
    return Typed(.function(.length, [.function(.coalesce, [.value(""), .value("a")])]), .integer)
  }

  /// An attribute with numbers whose sums and magnitudes fit, unless they need not.
  mutating func number(of entity: EntityDescription) -> Typed? {
    let usable = entity.attributes.filter { attribute in
      switch attribute.type {
      case .real, .any: true
      case .integer, .decimal: attribute.isSmall || allowsOverflow
      default: false
      }
    }
    return usable.isEmpty ? nil : random.pick(usable).typed
  }

  /// A function of numbers, or an aggregate over rows that a relationship leads to.
  mutating func numberTerm(of entity: EntityDescription, hops: Int) -> Typed {
    random.once(in: 2) ? function(of: .number, entity, hops: hops, depth: 2) : related(of: entity, hops: hops) ?? field(of: entity)
  }

  /// What a path leads to inside JSON: an attribute of the entity or of one that is reached by to-one relationships, or a term of such.
  private mutating func document(of entity: EntityDescription, hops: Int) -> Typed? {
    let (path, target) = random.once(in: 3) ? path(from: entity, hops: hops, toOne: true) ?? (.root, entity) : (.root, entity)
    guard let attribute = target.attributes.filter({ $0.type == .json }).randomElement(using: &random) else { return nil }
    let steps = random.once(in: 3) ? (0...random.below(3)).map { _ in random.pick(Documents.steps) } : random.pick(Documents.paths)
    let type = random.pick([AttributeType.text, .integer, .real, .bool])
    return Typed(.json(documents(of: target, attribute, at: path, hops: hops), steps, as: type), type)
  }

  private mutating func documents(of entity: EntityDescription, _ attribute: Attribute, at path: FieldPath, hops: Int) -> Criteria.Term {
    let field = Criteria.Term.field(path.appending(attribute.name))
    switch random.below(12) {
    case 0: return .function(.coalesce, [field, .value(literal(.json))])
    case 1: return .function(.coalesce, [.value(.null), field])
    case 2: return .value(random.once(in: 4) ? .null : literal(.json))
    case 3 where path == .root && hops < 3:
      guard let (way, target) = self.path(from: entity, hops: hops, toOne: false),
        let other = target.attributes.first(where: { $0.type == .json })
      else { return field }
      return .related(random.pick([.min, .max]), way, .field(.root.appending(other.name)), .constant(true))
    case 4 where path == .root && hops == 0 && allowsAggregates: return .aggregate(random.pick([.min, .max]), field)
    default: return field
    }
  }

  private mutating func coalesce(of entity: EntityDescription, hops: Int, depth: Int) -> Typed {
    let first = rowTerm(of: entity, hops: hops, depth: depth + 1)
    var terms = [first.term]
    for _ in 0..<random.below(3) {
      let other = rowTerm(of: entity, hops: hops, depth: depth + 1)
      if other.type == first.type {
        terms.append(other.term)
      } else {
        terms.append(.value(random.once(in: 4) ? .null : literal(first.type)))
      }
    }
    if random.once(in: 4) { terms.insert(.value(.null), at: 0) }
    return Typed(.function(.coalesce, terms), first.type)
  }

  /// Over one to three relationships.
  mutating func path(from entity: EntityDescription, hops: Int, toOne: Bool) -> (FieldPath, EntityDescription)? {
    var (path, entity) = (FieldPath.root, entity)
    for _ in 0..<max(0, min(1 + random.below(3), 5 - hops)) {
      let usable = entity.relationships.filter { !toOne || !$0.isToMany }
      guard let next = usable.randomElement(using: &random), let target = next.target else { break }
      path = path.appending(next.name)
      entity = target
    }
    return path == .root ? nil : (path, entity)
  }
}

extension Attribute {
  var typed: Typed { Typed(.field(.root.appending(name)), type) }
}

extension Aggregate {
  fileprivate func type(of inner: AttributeType) -> AttributeType {
    switch self {
    case .count, .countDistinct: .integer
    case .sum where inner.isKeptInDoubles: .decimal(.text)
    case .min, .max, .sum: inner
    case .average: if case .decimal = inner { .decimal(.text) } else { .real }
    case .groupConcat: .text
    }
  }
}

extension Typed {
  /// The term, or another that is text.
  fileprivate var asText: Typed { type.isTextual ? self : Typed(.function(.concat, [.value("x"), .value("")]), .text) }
}

extension AttributeType {
  /// Whether it is a decimal whose sums are kept as text.
  fileprivate var isKeptInDoubles: Bool {
    switch self {
    case .decimal(.numeric), .decimal(.real): true
    default: false
    }
  }

  var isTextual: Bool { kind == .text || self == .any }

  fileprivate func compares(with other: AttributeType) -> Bool {
    switch (self, other) {
    case (.any, _), (_, .any), (.integer, .real), (.real, .integer), (.text, .json), (.json, .text): true
    case (.text, .storedText), (.json, .storedText): other.isCollated
    case (.storedText, .text), (.storedText, .json): isCollated
    default: self == other
    }
  }
}
