/// The queries that one run of a live query's body has met. It stays on the thread of the run.
final class MetQueries: @unchecked Sendable {
  private let run: LiveQueryRun
  private(set) var queries: Set<ObservedQuery> = []
  /// Whether one of them is new to the run.
  private(set) var hasNewQuery = false
  /// Whether one of them reads an entity that was not followed when the run began.
  private(set) var hasNewEntity = false

  init(_ run: LiveQueryRun) { self.run = run }

  /// Notes a query that is about to be run.
  func note(_ query: ObservedQuery) {
    guard queries.insert(query).inserted else { return }
    let (isNew, isOfNewEntity) = run.add(query)
    hasNewQuery = hasNewQuery || isNew
    hasNewEntity = hasNewEntity || isOfNewEntity
  }
}
