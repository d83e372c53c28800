import DAOCriteria
import DAOSchema

/// The share of rows for which a condition is likely to be true, as far as its form tells: if few, a list of keys finds the related rows;
/// if most, a lookup for each row.
///
/// Of 1,000,000 rows, 10 for each of 100,000 in no order, `IN (SELECT …)` takes 1/35 of what EXISTS takes where the condition is true of
/// 0.1 %, as long at 50 %, and 2.3 times as long at 90 % (SQLite 3.40, no index on the compared attribute).
enum Frequency {
  /// Of few: an equality, a list, a pattern.
  case rare
  /// Of most: conditions that leave few rows out, null checks, no condition at all.
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

extension CheckedCondition {
  /// Of how many rows it is likely to be true.
  func frequency(negated: Bool = false) -> Frequency {
    switch node {
    case .constant, .isNull: return .common
    case .compare(let left, let comparison, let right):
      let values = [left.scalar?.kind, right.scalar?.kind]
      if values.contains(.null) { return .common }
      if values.contains(.bool) { return .unknown }
      return switch comparison {
      case .equal: negated ? .common : .rare
      case .notEqual: negated ? .rare : .common
      case .less, .lessOrEqual, .greater, .greaterOrEqual: .unknown
      }
    case .between: return .unknown
    case .some(let quantifier) where quantifier.isComparison: return quantifier.condition.frequency(negated: negated)
    case .among, .matches, .search, .some: return negated ? .common : .rare
    case .all(let parts): return Self.frequency(of: parts, negated: negated, decidedBy: negated ? .common : .rare)
    case .any(let parts): return Self.frequency(of: parts, negated: negated, decidedBy: negated ? .rare : .common)
    case .not(let inner): return inner.frequency(negated: !negated)
    }
  }

  /// That of several together: one of the deciding kind is enough, else all have to agree.
  private static func frequency(of parts: [CheckedCondition], negated: Bool, decidedBy deciding: Frequency) -> Frequency {
    let all = parts.map { $0.frequency(negated: negated) }
    return all.contains(deciding) ? deciding : all.contains(.unknown) ? .unknown : deciding.opposite
  }

  /// Whether an index finds its rows by a value, or within bounds where those count too, of itself or of a part without which it is not
  /// true.
  func isSearched(in entity: EntityDescription, withBounds: Bool = false) -> Bool {
    func hasIndex(_ term: CheckedTerm) -> Bool {
      if case .attribute(let attribute) = term.node { entity.hasIndex(leading: [attribute]) } else { false }
    }
    switch node {
    case .all(let parts): return parts.contains { $0.isSearched(in: entity, withBounds: withBounds) }
    case .compare(let left, let comparison, let right):
      guard comparison == .equal || withBounds && comparison != .notEqual else { return false }
      return right.scalar != nil && hasIndex(left) || left.scalar != nil && hasIndex(right)
    case .among(let term, _, _): return hasIndex(term)
    case .between(let lower, let upper):
      return withBounds && lower.bound.scalar != nil && upper.bound.scalar != nil && hasIndex(lower.subject)
    case .constant, .isNull, .matches, .search, .any, .not, .some: return false
    }
  }

  /// Whether it speaks of nothing but the entity's row itself.
  var staysInRow: Bool {
    switch node {
    case .some, .search: false
    case .constant: true
    case .all(let parts), .any(let parts): parts.allSatisfy(\.staysInRow)
    case .not(let inner): inner.staysInRow
    case .compare(let left, _, let right): left.staysInRow && right.staysInRow
    case .between(let lower, let upper): lower.subject.staysInRow && lower.bound.staysInRow && upper.bound.staysInRow
    case .among(let term, _, _), .isNull(let term), .matches(let term, _, _, _): term.staysInRow
    }
  }
}

extension CheckedTerm {
  fileprivate var staysInRow: Bool { !readsOtherRows && !hasAggregate }
}

extension EntityDescription {
  /// Whether rows are found by these attributes without reading the whole table.
  func hasIndex(leading attributes: [Attribute]) -> Bool { hasIndex(leading: Set(attributes.map(\.name))) }

  private func hasIndex(leading names: Set<String>) -> Bool {
    ([key.attributes] + (indexes + relationshipIndexes).map(\.attributes)).contains { Set($0.prefix(names.count)) == names }
  }
}
