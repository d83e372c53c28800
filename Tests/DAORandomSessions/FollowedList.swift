import CriteriaTesting
import DAOKit
import Foundation
import TestCases

/// A list on a screen: each of its differences is shown as a view shows it.
final class FollowedList<Kind: ItemKind>: FollowedResult {
  typealias Results = FetchedResults<Item<Kind>>

  private let name: String
  /// The whole list.
  private let query: LiveQuery<Results>
  private let isWindow: Bool
  private let state: FollowedState
  private let loop: Task<Void, Never>

  /// - Parameter whole: for a list with a window, which is slid now and then, the same without.
  init(_ name: String, _ query: LiveQuery<Results>, within whole: LiveQuery<Results>? = nil) {
    (self.name, self.query, isWindow) = (name, whole ?? query, whole != nil)
    let isWindow = isWindow
    let state = FollowedState()
    self.state = state
    loop = Task {
      var random = RandomSource(seed: 0)
      do {
        var shown: ShownList<Item<Kind>>?
        for try await results in query {
          // A window may have the same rows, with others behind them.
          let isEmpty = isWindow && results.changes?.isEmpty == true
          if shown == nil { shown = ShownList(results) { $0.text } } else if !isEmpty { try shown?.show(results) }
          if isWindow, !results.isEmpty, random.once(in: 3) { results.slide(to: random.below(results.count)) }
          state.show(Self.texts(of: results), named: results.changes != nil)
        }
      } catch { state.fail(error) }
    }
  }

  deinit { loop.cancel() }

  private static func texts(of results: Results) -> [String] {
    results.sections.flatMap { section in ["# \(section.value)"] + section.rows.map(\.text) }
  }

  func settle() async throws {
    var results = query.makeAsyncIterator()
    guard let first = try await results.next() else { throw TestCases.Difference("\(name) has no results") }
    let expected = Self.texts(of: first)
    try await state.settle(name, expected) { [isWindow] texts in
      guard isWindow, texts.count > 1 else { return texts == expected }
      // Some of the rows, in their order.
      guard let start = expected.firstIndex(of: texts[1]) else { return false }
      return expected[start...].starts(with: texts[1...])
    }
  }

  var figures: FollowedState.Figures { state.figures }
}

/// A live query whose results are followed.
protocol FollowedResult: Sendable {
  var figures: FollowedState.Figures { get }
  /// Waits until its result is the one of the store as it is now.
  func settle() async throws
}
