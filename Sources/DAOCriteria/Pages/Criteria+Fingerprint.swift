extension Criteria {
  /// A number for everything that gives a position among the rows its meaning: the entity, the scope, the filter with its values, the
  /// orders and the types of their terms. The same in every process, on every platform.
  package func fingerprint(in target: EntityTarget) -> UInt64 {
    let (entity, orders) = (target.entity, totalOrders(in: target.entity))
    let shape = CriteriaShape(scope: target.scope, filter: filter, orders: orders)
    var bytes = StableBytes()
    bytes.append(entity.name)
    bytes.append(entity.table)
    for word in shape.words.words { bytes.append(word) }
    for value in shape.values { bytes.append(value) }
    for order in orders { bytes.append(order.term.type(in: entity)?.declaredName ?? "") }
    return SipHash(bytes.bytes, key: PageToken.key).low
  }
}

extension StableBytes {
  fileprivate mutating func append(_ value: CriteriaValue) {
    switch value {
    case .scalar(let scalar): append(scalar)
    case .list(let scalars):
      append(count: scalars.count)
      // In any order: the same set of values has another in each process.
      for hash in scalars.map(\.fingerprint).sorted() { append(hash) }
    case .words(let query):
      append(query.kind.rawValue)
      append(query.isPrefix ? 1 : 0 as UInt8)
      append(query.text)
    case .stored(let stored): append(stored)
    }
  }

  fileprivate mutating func append(_ scalar: Scalar) {
    append(scalar.kind.rawValue)
    append(scalar.exact)
  }
}

extension Scalar {
  /// A number for the value, the same in every process.
  fileprivate var fingerprint: UInt64 {
    var bytes = StableBytes()
    bytes.append(self)
    return SipHash(bytes.bytes, key: PageToken.key).low
  }
}
