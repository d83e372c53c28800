/// A row's or group's values of some orders' terms.
struct SortKey {
  let values: [OrderedValue]

  init(_ values: [OrderedValue]) { self.values = values }

  static func make(_ orders: [Criteria.Ordering], _ evaluator: Evaluator) throws -> (Evaluator.Subject) throws -> SortKey {
    let terms = try orders.map { (value: try evaluator.value($0.term), type: evaluator.type(of: $0.term) ?? .any) }
    return { subject in SortKey(try terms.map { OrderedValue(try $0.value(subject), as: $0.type) }) }
  }
}

extension [Criteria.Ordering] {
  /// Less than 0 where a row with the left key comes first, 0 where they are equal in all orders.
  func compare(_ left: SortKey, _ right: SortKey) -> Int {
    for (index, order) in enumerated() {
      let comparison = left.values[index].compare(right.values[index], order.direction, nulls: order.nulls)
      if comparison != 0 { return comparison }
    }
    return 0
  }
}
