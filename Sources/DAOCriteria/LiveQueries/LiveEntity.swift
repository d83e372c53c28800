/// The live queries that read one entity. The lock of ``LiveQueries`` guards it.
final class LiveEntity {
  private struct Query {
    let state: LiveQueryState
    let reach: QueryReach?
  }

  /// Holds the row that is asked about, in its first place.
  let table = EvaluatedTable()
  /// The number of the feed's consumer; guarded by the lock that is held while queries come and go.
  var consumer: Int?
  /// How many follow it; guarded by the same.
  var followerCount = 0
  // The queries by the attribute and the value that rows must have; and all others.
  private var byValue: [Int: [StoredValue: [Int: Query]]] = [:]
  private var others: [Int: Query] = [:]
  private var places: [Int: (position: Int, values: Set<StoredValue>)] = [:]

  func add(_ state: LiveQueryState, _ number: Int, _ reach: QueryReach?) {
    let query = Query(state: state, reach: reach)
    guard let (position, values) = reach?.equality else {
      others[number] = query
      return
    }
    places[number] = (position, values)
    for value in values { byValue[position, default: [:]][value, default: [:]][number] = query }
  }

  func remove(_ number: Int) {
    others[number] = nil
    guard let (position, values) = places.removeValue(forKey: number) else { return }
    for value in values {
      byValue[position]?[value]?[number] = nil
      if byValue[position]?[value]?.isEmpty ?? false { byValue[position]?[value] = nil }
    }
    if byValue[position]?.isEmpty ?? false { byValue[position] = nil }
  }

  /// A query whose result changed rows may have changed.
  struct Touched {
    let state: LiveQueryState
    /// The changed rows; nil where they are not kept, or too many.
    fileprivate(set) var rows: [ChangedRow]?

    init(_ state: LiveQueryState, keepsRows: Bool) { (self.state, rows) = (state, keepsRows ? [] : nil) }
  }

  /// More rows of one commit are not kept for a query: it runs again.
  private static let mostRows = 100

  /// The queries whose results changed rows may have changed, each once.
  /// - Parameter includingMarked: whether those that are marked already are among them.
  func touched(by rows: ChangedRows, includingMarked: Bool) -> some Collection<Touched> {
    var touched: [ObjectIdentifier: Touched] = [:]
    guard !rows.needsReload, let changes = rows.rowChanges else {
      for query in others.values { touched[ObjectIdentifier(query.state)] = Touched(query.state, keepsRows: false) }
      for query in byValue.values.flatMap(\.values).flatMap(\.values) {
        touched[ObjectIdentifier(query.state)] = Touched(query.state, keepsRows: false)
      }
      return touched.values
    }
    for change in changes {
      // The queries that keep the change, found by the row before or after.
      var keeping: Set<ObjectIdentifier> = []
      func note(_ queries: [Int: Query], _ row: [StoredValue?]) {
        for query in queries.values {
          let state = ObjectIdentifier(query.state)
          let known = touched[state]
          // One that runs again has nothing more to learn.
          if let known {
            if known.rows == nil || keeping.contains(state) { continue }
          } else if !includingMarked, query.state.isToBeRead {
            continue
          }
          if let reach = query.reach, !reach.shows(change) || !reach.mayHave(row) { continue }
          var found = known ?? Touched(query.state, keepsRows: query.state.keepsRows)
          if let count = found.rows?.count, count < Self.mostRows {
            found.rows?.append(change)
            keeping.insert(state)
          } else {
            found.rows = nil
          }
          touched[state] = found
        }
      }
      for row in [change.before, change.after] {
        guard let row else { continue }
        table.put(row.map { $0 ?? .null }, at: 0)
        note(others, row)
        for (position, queries) in byValue {
          if let value = row[position] {
            if let queries = queries[value.wholeNumber] { note(queries, row) }
          } else {
            for queries in queries.values { note(queries, row) }
          }
        }
      }
    }
    return touched.values
  }
}
