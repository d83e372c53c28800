extension Evaluator {
  /// An aggregate as a function of rows.
  func aggregated(_ aggregate: Aggregate, _ term: Criteria.Term?) throws -> ([Int]) throws -> StoredValue {
    guard let term else {
      guard aggregate == .count else { throw Self.unsupported("\(aggregate.name) of nothing") }
      return { .integer(Int64($0.count)) }
    }
    if case .groupConcat(let separator, let orders) = aggregate { return try joined(term, separator, orders) }
    let value = try rowValue(term)
    let type = type(of: term) ?? .any
    let origin = term.origin(in: entity)
    return { [statement] places in
      try statement.spend(places.count)
      let values = try places.map(value).filter { !$0.isNull }
      do { return try apply(aggregate, to: values, type) } catch let problem as ValueProblem { throw origin.undecodable(problem) }
    }
  }

  /// The texts of rows, joined in an order.
  private func joined(_ term: Criteria.Term, _ separator: String, _ orders: [Criteria.Ordering]) throws -> ([Int]) throws -> StoredValue {
    let (found, form) = (try rowValue(term), type(of: term) ?? .any)
    let text = { form.plain(try found($0)) }
    let values = try orders.map { try rowValue($0.term) }
    let keys = orders.map { JoinedTexts.Key($0.direction, nulls: $0.nulls, type(of: $0.term) ?? .any) }
    return { [statement] places in
      var texts = JoinedTexts(keys, separator: separator)
      do {
        for place in places {
          let found = try text(place)
          try statement.spend(found.steps)
          // Worked out for a null text too, as SQLite does: what an order fails of is the same.
          let keys = try values.map { try $0(place) }
          if case .text(let text) = found { try texts.add(text, keys) }
        }
        return try texts.joined { try statement.spend(4096) }.map { .text($0) } ?? .null
      } catch let problem as ValueProblem { throw overflow(problem.description) }
    }
  }

  /// An aggregate of values without nulls, in the order of their rows.
  private func apply(_ aggregate: Aggregate, to values: [StoredValue], _ type: AttributeType) throws -> StoredValue {
    switch aggregate {
    case .count: .integer(Int64(values.count))
    case .countDistinct: .integer(Int64(Set(values.map { $0.identity(as: type) }).count))
    case .min: values.smallest(as: type, isBefore: <) ?? .null
    case .max: values.smallest(as: type, isBefore: >) ?? .null
    case .sum, .average: try sum(of: values, type, isMean: aggregate == .average)
    // Has more than one value of each row.
    case .groupConcat: throw Self.unsupported("groupConcat of values")
    }
  }

  private func sum(of values: [StoredValue], _ type: AttributeType, isMean: Bool) throws -> StoredValue {
    var sum = AttributeSum(type, isMean: isMean)
    for value in values { try sum.add(value) }
    guard let result = sum.result else { throw overflow("the sum overflows") }
    return result
  }
}

extension [StoredValue] {
  /// The first of the values that no other is before.
  fileprivate func smallest(as type: AttributeType, isBefore: (Int, Int) -> Bool) -> StoredValue? {
    var best: (key: OrderedValue, value: StoredValue)?
    for value in self {
      let key = OrderedValue(value, as: type)
      if best.map({ isBefore(key.compare($0.key), 0) }) ?? true { best = (key, value) }
    }
    return best?.value
  }
}
