import Foundation

/// The values by which rows of a relationship belong together: those of a foreign key here, and of the key that it holds there.
struct MatchKey: Hashable {
  private let first: Scalar
  private let others: [Scalar]

  /// The values at some positions of a row, as attributes of these types hold them; nil where one of them is null, or is no value of that
  /// attribute's type: then no row belongs to it.
  init?(_ row: [StoredValue], at positions: some Sequence<Int>, as types: [AttributeType]) {
    var first: Scalar?
    var others: [Scalar] = []
    for (position, type) in zip(positions, types) {
      // In a column without a type 1 and 1.0 are equal.
      guard let value = type.matched(row[position]), !value.isNull else { return nil }
      if first == nil { first = value } else { others.append(value) }
    }
    guard let first else { return nil }
    self.first = first
    self.others = others
  }

  /// A key of these values.
  init?(_ values: [Scalar]) {
    guard let first = values.first else { return nil }
    self.first = first
    others = Array(values.dropFirst())
  }

  /// An integer key.
  init(_ value: Int64) {
    first = .integer(value)
    others = []
  }

  /// Some key of attributes of these types.
  init(anyOf types: [AttributeType]) {
    let values = types.map(\.sample)
    first = values.first ?? .null
    others = Array(values.dropFirst())
  }

  /// The value of one of the attributes.
  subscript(position: Int) -> Scalar { position == 0 ? first : others[position - 1] }
}

extension AttributeType {
  /// A stored value as it is matched with others, of which some may be equal that are stored in another way: 1 and 1.0, 1.5 and 1.50. Nil
  /// for a value of another form.
  func matched(_ value: StoredValue) -> Scalar? { try? scalar(order == .instant ? value : value.identity(as: self)) }
}

extension Sequence<MatchKey?> {
  /// The keys that there are, each once, in their order.
  var distinct: [MatchKey] {
    var seen: Set<MatchKey> = []
    return compactMap { key in key.flatMap { seen.insert($0).inserted ? $0 : nil } }
  }
}

extension RelationshipStep {
  /// How the values here are kept.
  var types: [AttributeType] { pairs.map(\.here.type) }

  /// How those over there are.
  var targetTypes: [AttributeType] { pairs.map(\.there.type) }

  /// The rows over there that have one of these keys. Each attribute of a key with several is queried by itself, so that the list is one
  /// binding; surplus rows belong to no row here.
  func rows(_ keys: [MatchKey], by orders: [Criteria.Ordering] = []) -> Criteria {
    var criteria = Criteria()
    criteria.orders = orders
    criteria.filter = .all(
      pairs.enumerated().map { position, pair in
        if pairs.count == 1 { return .among(.field(.root.appending(pair.there.name)), keys.map { $0[0] }) }
        var seen: Set<Scalar> = []
        return .among(.field(.root.appending(pair.there.name)), keys.map { $0[position] }.filter { seen.insert($0).inserted })
      })
    return criteria
  }

  /// Which of these keys rows over there pair with a key of the step that follows.
  func pairs(with next: RelationshipStep, _ keys: [MatchKey]) -> Criteria {
    var criteria = rows(keys)
    // Named by their numbers, since both keys may share an attribute.
    criteria.columns = (pairs.map(\.there) + next.pairs.map(\.here)).enumerated().map { number, attribute in
      Criteria.Column(.field(.root.appending(attribute.name)), name: "\(number)")
    }
    criteria.isDistinct = true
    return criteria
  }
}
