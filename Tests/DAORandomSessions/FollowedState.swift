import DAOKit
import Foundation
import TestCases

/// What a loop over a live query has shown last, for those who wait until it is what the store has.
final class FollowedState: @unchecked Sendable {
  struct Figures: Sendable {
    var results = 0
    /// Those that named their differences.
    var differences = 0
  }

  private let lock = NSLock()
  private var texts: [String]?
  private var error: (any Error)?
  private var waiting: CheckedContinuation<Void, Never>?
  private var counted = Figures()

  var figures: Figures { lock.withLock { counted } }

  /// - Parameter named: whether it came with its differences.
  func show(_ texts: [String], named: Bool) {
    lock.withLock {
      self.texts = texts
      counted.results += 1
      counted.differences += named ? 1 : 0
    }
    wake()
  }

  func fail(_ error: any Error) {
    lock.withLock { self.error = error }
    wake()
  }

  private func wake() {
    lock.withLock {
      defer { waiting = nil }
      return waiting
    }?.resume()
  }

  /// Waits until the result is as it has to be. A loop that misses a commit would have nothing more to show: only then it takes the two
  /// minutes, after which this throws.
  func settle(_ name: String, _ expected: [String], _ isRight: ([String]) -> Bool) async throws {
    let deadline = Task {
      try await Task.sleep(for: .seconds(120))
      fail(TestCases.Difference("never settled"))
    }
    defer { deadline.cancel() }
    while true {
      let (shown, error, results) = lock.withLock { (texts, self.error, counted.results) }
      if let error { throw TestCases.Difference("\(name): \(error)\nshows \(shown ?? [])\nnot \(expected)") }
      if let shown, isRight(shown) { return }
      await withCheckedContinuation { continuation in
        let isNew = lock.withLock {
          if counted.results != results || self.error != nil { return true }
          waiting = continuation
          return false
        }
        if isNew { continuation.resume() }
      }
    }
  }
}
