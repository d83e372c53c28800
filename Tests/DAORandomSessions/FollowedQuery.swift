import DAOKit
import Foundation

/// A live query that is no list: entities, counts, reports.
final class FollowedQuery: FollowedResult {
  private let name: String
  private let query: LiveQuery<[String]>
  private let state: FollowedState
  private let loop: Task<Void, Never>

  init(_ name: String, _ query: LiveQuery<[String]>) {
    (self.name, self.query) = (name, query)
    let state = FollowedState()
    self.state = state
    loop = Task {
      do { for try await result in query { state.show(result, named: false) } } catch { state.fail(error) }
    }
  }

  deinit { loop.cancel() }

  func settle() async throws {
    var results = query.makeAsyncIterator()
    let expected = try await results.next() ?? []
    try await state.settle(name, expected) { $0 == expected }
  }

  var figures: FollowedState.Figures { state.figures }
}
