/// Which changed rows can change the result of a query.
///
/// A row that changes can do so if the query's filter is true of it, as it was before or as it is now. What the analysis can't decide from
/// the row alone counts as true: conditions over relationships, searches, values that are not known. Then the store is asked again.
final class QueryReach {
  private let entity: EntityDescription
  /// The entities of which any change counts: those that relationships lead to, and its own where an aggregate speaks of other rows.
  let others: Set<EntityDescription>
  /// An attribute that must have a value, by which the query is found among many.
  let equality: (position: Int, values: Set<StoredValue>)?
  // What must be true of a row, and the positions of the attributes that it depends on; nil where any row counts.
  private let test: Evaluator.Test?
  private let tested: [Int]
  // The positions of the attributes whose change is seen in the result; nil for all.
  private let shown: [Int]?
  private let keys: (positions: [Int], values: Set<[StoredValue]>)?
  private let table: EvaluatedTable

  /// - Parameter table: holds the row that is asked about, in its first place.
  init(of query: ObservedQuery, over table: EvaluatedTable) {
    entity = query.entity
    self.table = table
    let reading = AttributeReading(of: query)
    others = reading.others
    (test, tested) = Self.test(reading.decidable, query.entity, table)
    switch query.rows {
    case .keys(let values):
      let positions = query.entity.key.attributes.compactMap { query.entity.position(of: $0) }
      // A key that is read from several stored forms may be stored in any of them.
      let hasOneForm = !positions.contains { query.entity.attributes[$0].type.isEqualByOrder }
      keys = hasOneForm ? (positions, Set(values.map { $0.map(\.wholeNumber) })) : nil
      shown = nil
      equality = hasOneForm && positions.count == 1 ? (positions[0], Set(values.compactMap { $0.first?.wholeNumber })) : nil
    case .criteria(_, let result):
      keys = nil
      shown = reading.isComplete && result != .entities ? reading.positions.sorted() : nil
      equality = Self.equality(in: reading.decidable, of: query.entity)
    }
  }

  /// A condition as a function; nil where it can't be evaluated.
  private static func test(
    _ condition: Criteria.Condition, _ entity: EntityDescription, _ table: EvaluatedTable
  ) -> (Evaluator.Test?, [Int]) {
    if condition.isAlwaysTrue { return (nil, []) }
    // Rows come and go in the table, so nothing is kept.
    let statement = EvaluatedStatement(of: entity, isSnapshot: false) { _ in table }
    guard let test = try? Evaluator(entity, in: statement).test(condition) else { return (nil, []) }
    return (test, AttributeReading(condition, of: entity).positions.sorted())
  }

  /// An attribute that is equal to a value in all rows of a condition.
  private static func equality(in condition: Criteria.Condition, of entity: EntityDescription) -> (Int, Set<StoredValue>)? {
    switch condition.node {
    case .all(let parts):
      for part in parts { if let found = equality(in: part, of: entity) { return found } }
      return nil
    case .compare(.field(let path), .equal, .value(let value)), .compare(.value(let value), .equal, .field(let path)):
      return equality(path, [value], entity)
    case .among(.field(let path), let values): return equality(path, values, entity)
    default: return nil
    }
  }

  private static func equality(_ path: FieldPath, _ values: [Scalar], _ entity: EntityDescription) -> (Int, Set<StoredValue>)? {
    guard let position = entity.position(of: path.description) else { return nil }
    let type = entity.attributes[position].type
    switch type {
    case .bool, .integer, .text, .data, .uuid: break
    // Values of other types can be equal that are stored in two ways.
    case .real, .boolText, .storedText, .date, .decimal, .json, .any: return nil
    }
    let stored = values.compactMap { try? type.stored($0).wholeNumber }
    return stored.count == values.count && !stored.contains(.null) ? (position, Set(stored)) : nil
  }

  // MARK: Deciding

  /// Whether a change of a row is seen in the result, if the row is in it.
  func shows(_ change: ChangedRow) -> Bool {
    guard let before = change.before, let after = change.after else { return true }
    func differs(_ position: Int) -> Bool { before[position] == nil || before[position] != after[position] }
    return shown.map { $0.contains(where: differs) } ?? before.indices.contains(where: differs)
  }

  /// Whether a row may be in the result. Its values are in the table, null for those that are not known.
  func mayHave(_ row: [StoredValue?]) -> Bool {
    if let keys {
      let key = keys.positions.map { row[$0]?.wholeNumber }
      if key.allSatisfy({ $0 != nil }), !keys.values.contains(key.compactMap { $0 }) { return false }
    }
    guard let test else { return true }
    for position in tested {
      guard let value = row[position], entity.attributes[position].type.isUsual(value) else { return true }
    }
    return (try? test(.row(0))) ?? true
  }
}

extension AttributeType {
  /// Whether a value is stored as the type stores its values, so that it is compared here as in the store.
  func isUsual(_ value: StoredValue) -> Bool {
    switch (storedForm, value) {
    case (_, .null): true
    case (.integer, .integer), (.real, .real), (.number, .real), (.number, .integer), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
