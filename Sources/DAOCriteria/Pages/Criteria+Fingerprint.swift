extension Criteria {
  /// A number for all by which a place among the rows has its meaning: the entity, the scope, the filter with its values, the orders and the
  /// types of what they order by. The same in every process, on every platform.
  package func fingerprint(in target: EntityTarget) -> UInt64 {
    let entity = target.entity
    var bytes = StableBytes()
    bytes.append(entity.name)
    bytes.append(entity.table)
    bytes.append(target.scope)
    bytes.append(filter)
    for order in totalOrders(in: entity) {
      bytes.append(order.term)
      bytes.append(order.direction == .ascending ? 1 : 2 as UInt8)
      bytes.append(order.nulls == .first ? 1 : 2 as UInt8)
      bytes.append(order.term.type(in: entity)?.declaredName ?? "")
    }
    return SipHash(bytes.bytes, key: PageToken.key).low
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

// Each kind has a number that stays, since tokens outlive the process.
extension StableBytes {
  mutating func append(_ condition: Condition) {
    switch condition.node {
    case .constant(let value): append(value ? 1 : 2 as UInt8)
    case .compare(let left, let comparison, let right):
      append(3 as UInt8)
      append(comparison.rawValue)
      append(left)
      append(right)
    case .between(let term, let lower, let upper):
      append(4 as UInt8)
      append(term)
      append(lower)
      append(upper)
    case .among(let term, let values):
      append(5 as UInt8)
      append(term)
      append(count: values.count)
      // In any order: the same set of values has another in each process.
      for hash in values.map(\.fingerprint).sorted() { append(hash) }
    case .isNull(let term):
      append(6 as UInt8)
      append(term)
    case .matches(let term, let match, let pattern, let caseSensitive):
      append(caseSensitive ? 7 : 8 as UInt8)
      append(match.rawValue)
      append(term)
      append(pattern)
    case .all(let parts):
      append(9 as UInt8)
      append(count: parts.count)
      for part in parts { append(part) }
    case .any(let parts):
      append(10 as UInt8)
      append(count: parts.count)
      for part in parts { append(part) }
    case .not(let inner):
      append(11 as UInt8)
      append(inner)
    case .some(let path, let inner):
      append(12 as UInt8)
      append(path)
      append(inner)
    case .tooDeep: append(13 as UInt8)
    case .search(let search):
      append(14 as UInt8)
      append(search)
    }
  }

  mutating func append(_ term: Term) {
    switch term {
    case .field(let path):
      append(20 as UInt8)
      append(path)
    case .value(let scalar):
      append(21 as UInt8)
      append(scalar)
    case .function(let function, let terms):
      append(22 as UInt8)
      append(function.rawValue)
      append(count: terms.count)
      for term in terms { append(term) }
    case .aggregate(let aggregate, let inner):
      append(inner == nil ? 23 : 24 as UInt8)
      append(aggregate.rawValue)
      if let inner { append(inner) }
    case .related(let aggregate, let path, let inner, let condition):
      append(inner == nil ? 25 : 26 as UInt8)
      append(aggregate.rawValue)
      append(path)
      if let inner { append(inner) }
      append(condition)
    case .unstorable(let reason):
      append(27 as UInt8)
      append(reason)
    case .search(let result, let search):
      append(28 as UInt8)
      append(result.name)
      append(result.path ?? .root)
      for value in result.values { append(value) }
      append(search)
    }
  }

  private mutating func append(_ search: TextSearch) {
    append(search.path)
    append(search.query.kind.rawValue)
    append(search.query.isPrefix ? 1 : 0 as UInt8)
    append(search.query.text)
  }

  private mutating func append(_ path: FieldPath) {
    append(count: path.rest.count)
    append(path.first)
    for name in path.rest { append(name) }
  }

  fileprivate mutating func append(_ scalar: Scalar) {
    append(scalar.kind.rawValue)
    switch scalar {
    case .null: break
    case .bool(let value): append(value ? 1 : 0 as UInt8)
    case .integer(let value): append(UInt64(bitPattern: value))
    case .real(let value): append(value.bitPattern)
    case .text(let value): append(value)
    case .data(let value): append(value)
    case .uuid(let value): append(value.uuidString)
    case .date(let value): append(value.timeIntervalSince1970.bitPattern)
    case .decimal(let value): append(value.description)
    }
  }
}
