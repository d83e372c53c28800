import DAOCriteria

// A quantifier is a list of keys, or a lookup for each row. Where its values decide which is better, a sample of the rows is read.
extension SQLRenderer {
  /// Whether related rows are looked up row by row, as most meet the condition, instead of listed, as few do.
  mutating func looksForEach(
    _ path: JoinPath, _ hops: ArraySlice<CheckedHop>, _ condition: CheckedCondition, _ inner: LoweredCondition
  ) -> Bool {
    // Without an index each look would read the whole table; a list of keys reads it once.
    guard path.tables.allSatisfy({ $0.reference.entity.hasIndex(leading: $0.pairs.map(\.there)) }) else { return false }
    if findsFewRows, !table.isRelated { return true }
    switch condition.frequency() {
    case .rare: return false
    case .common: return true
    case .unknown:
      guard hops.count == 1, samples.count < Self.maximumSamples, let sample = sample(of: path, condition, inner) else { return false }
      samples.append(sample)
      return mostFit
    }
  }

  /// How many quantifiers of a query are sampled; those behind them are lists.
  private static let maximumSamples = 8

  /// Whether there is one row, or the filter has a part by which an index finds few: a lookup for each is cheaper than any list.
  private var findsFewRows: Bool {
    isOverOneRow || [criteria.scope, criteria.filter].contains { $0.isSearched(in: entity) }
  }

  /// Whether a condition whose values decide is true of most of the first and most of the last rows by key; nil where that is not worth
  /// while.
  ///
  /// A condition that is true at one end of a table, of the newest rows for example, may be rare overall: both ends have to agree.
  private func sample(of path: JoinPath, _ condition: CheckedCondition, _ inner: LoweredCondition) -> SQLFragment? {
    let there = path.last
    guard path.isToMany, !table.isRelated, condition.staysInRow, there.entity.source == .table,
      !condition.isSearched(in: there.entity, withBounds: true), case .sql(let fits, _) = inner
    else { return nil }
    func mostFit(_ direction: String) -> SQLFragment {
      let key = there.entity.keyAttributes.map { SQLFragment("\(name: $0.column) \(text: direction)") }.joined(", ")
      // A star would leave out the row id of a table that declares no key.
      let rows: SQLFragment = "(SELECT \(list(there.entity.attributes)) FROM \(name: there.entity.table) ORDER BY \(key) LIMIT 50)"
      return "(SELECT 2 * COUNT(*) FILTER (WHERE \(fits)) > COUNT(*) FROM \(rows) AS \(there.name))"
    }
    return "\(mostFit("ASC")) AND \(mostFit("DESC"))"
  }

  /// `SELECT (SELECT 2 * COUNT(*) FILTER (WHERE "t1"."offset" > ?1) > COUNT(*) FROM (SELECT "id", … FROM "transition" ORDER BY "id" ASC
  /// LIMIT 50) AS "t1") AND …`
  var samplePlan: SQLPlan? {
    if samples.isEmpty { return nil }
    return SQLPlan(
      "SELECT \(samples.joined(" AND ")) AS \(text: SQLPlan.sampleName)", using: [],
      columns: [SQLPlan.Column(name: SQLPlan.sampleName, type: .integer)], of: entity, isEmpty: false)
  }
}
