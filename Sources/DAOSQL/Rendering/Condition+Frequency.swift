import DAOCriteria

/// Of how many rows a condition is likely to be true, as far as its form tells: of few, a list of keys finds what is related to them; of most, a
/// look for each row.
///
/// Of 1,000,000 rows, 10 for each of 100,000 in no order, `IN (SELECT …)` takes 1/35 of what EXISTS takes where the condition is true of 0.1 %, as
/// long at 50 %, and 2.3 times as long at 90 % (SQLite 3.40, no index on what is compared).
enum Frequency {
  /// Of few: an equality, a list, a pattern.
  case rare
  /// Of most: what leaves such rows out, null checks, no condition at all.
  case common
  /// Ranges and flags: their values decide.
  case unknown

  fileprivate var opposite: Frequency {
    switch self {
    case .rare: .common
    case .common: .rare
    case .unknown: .unknown
    }
  }
}

extension Condition {
  /// Of how many rows it is likely to be true.
  func frequency(negated: Bool = false) -> Frequency {
    switch node {
    case .constant, .isNull, .tooDeep: return .common
    case .compare(.value(.null), _, _), .compare(_, _, .value(.null)): return .common
    case .compare(.value(.bool), _, _), .compare(_, _, .value(.bool)): return .unknown
    case .compare(_, .equal, _): return negated ? .common : .rare
    case .compare(_, .notEqual, _): return negated ? .rare : .common
    case .compare, .between: return .unknown
    case .among, .matches, .search, .some: return negated ? .common : .rare
    case .all(let parts): return Self.frequency(of: parts, negated: negated, decidedBy: negated ? .common : .rare)
    case .any(let parts): return Self.frequency(of: parts, negated: negated, decidedBy: negated ? .rare : .common)
    case .not(let inner): return inner.frequency(negated: !negated)
    }
  }

  /// That of several together: one of the deciding kind is enough, else all have to agree.
  private static func frequency(of parts: [Condition], negated: Bool, decidedBy deciding: Frequency) -> Frequency {
    let all = parts.map { $0.frequency(negated: negated) }
    return all.contains(deciding) ? deciding : all.contains(.unknown) ? .unknown : deciding.opposite
  }

  /// Whether an index finds its rows by a value, or within bounds where those count too, of itself or of a part without which it is not true.
  func isSearched(in entity: EntityDescription, withBounds: Bool = false) -> Bool {
    switch node {
    case .all(let parts): parts.contains { $0.isSearched(in: entity, withBounds: withBounds) }
    case .compare(.field(let path), let comparison, .value), .compare(.value, let comparison, .field(let path)):
      (comparison == .equal || withBounds && comparison != .notEqual) && entity.hasIndex(leading: path)
    case .among(.field(let path), _): entity.hasIndex(leading: path)
    case .between(.field(let path), .value, .value): withBounds && entity.hasIndex(leading: path)
    default: false
    }
  }

  /// Whether it speaks of nothing but the entity's row itself.
  func staysInRow(of entity: EntityDescription) -> Bool {
    switch node {
    case .some, .search, .tooDeep: false
    case .all(let parts), .any(let parts): parts.allSatisfy { $0.staysInRow(of: entity) }
    case .not(let inner): inner.staysInRow(of: entity)
    default: !terms.contains { $0.isRelated(to: entity) || $0.hasAggregate }
    }
  }
}

extension EntityDescription {
  /// Whether rows are found by these attributes without reading the whole table.
  func hasIndex(leading attributes: [Attribute]) -> Bool { hasIndex(leading: Set(attributes.map(\.name))) }

  fileprivate func hasIndex(leading path: FieldPath) -> Bool { self[path.description] != nil && hasIndex(leading: [path.description]) }

  private func hasIndex(leading names: Set<String>) -> Bool {
    ([key.attributes] + (indexes + relationshipIndexes).map(\.attributes)).contains { Set($0.prefix(names.count)) == names }
  }
}
