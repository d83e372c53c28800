import DAOKit
import Foundation
import Testing

@Suite("A call that closes, opens, removes or resets a store in which others are at work", .timeLimit(.minutes(60)))
struct MaintenanceEndTests {
  /// A call that waits for an hour for those who use the store.
  struct Call: Sendable, CustomStringConvertible {
    let description: String
    let run: @Sendable (DAOFactory) async throws -> Void
    let runWithoutAwait: @Sendable (DAOFactory) throws -> Void
  }

  private static let hour = Duration.seconds(3600)

  static let calls: [Call] = [
    Call(description: "close") {
      try await $0.close(within: hour)
    } runWithoutAwait: {
      try $0.close(within: hour)
    },
    Call(description: "reopen") {
      try await $0.reopen(within: hour)
    } runWithoutAwait: {
      try $0.reopen(within: hour)
    },
    Call(description: "destroy") {
      try await $0.destroy(within: hour)
    } runWithoutAwait: {
      try $0.destroy(within: hour)
    },
    Call(description: "resetToSeed") {
      try await $0.resetToSeed(within: hour)
    } runWithoutAwait: {
      try $0.resetToSeed(within: hour)
    },
  ]

  /// Somebody who is in the way until the function that is returned runs.
  struct User: Sendable, CustomStringConvertible {
    let description: String
    let begin: @Sendable (EndlessStore) async throws -> @Sendable () async -> Void
  }

  static let users: [User] = [
    User(description: "a session that reads") { store in
      let held = Held { end in try store.factory.read { _ in end() } }
      return { held.release() }
    },
    User(description: "a session that writes") { store in
      let held = Held { end in try store.factory.write { _ in end() } }
      return { held.release() }
    },
    User(description: "a stream") { store in
      while true {
        let (rows, row) = AsyncStream<Void>.makeStream()
        let stream = Task {
          defer { row.finish() }
          for try await _ in store.endless.stream(.where { $0.id == 1 }) { row.yield() }
        }
        // With its first row it has its connection; it is in the way from its second batch on, which never ends.
        for await _ in rows { break }
        do { try await store.factory.close(within: .zero) } catch DAOError.bootstrap {
          return {
            stream.cancel()
            _ = await stream.result
          }
        }
        _ = await stream.result
        try await store.factory.reopen()
      }
    },
  ]

  @Test(arguments: calls, users)
  func `ends when its task is cancelled, and the store goes on`(_ call: Call, beside user: User) async throws {
    let store = try EndlessStore()
    let end = try await user.begin(store)
    for wait in [Duration.milliseconds(30), .zero] {
      let task = Task { try await call.run(store.factory) }
      try await Task.sleep(for: wait)
      task.cancel()
      // Nobody else ends it: what is in the way stays.
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await end()
    #expect(try await store.isAsNew())
  }

  @Test(arguments: calls, users)
  func `ends with its deadline, and the store goes on`(_ call: Call, beside user: User) async throws {
    let store = try EndlessStore()
    let end = try await user.begin(store)
    for wait in [Duration.milliseconds(30), .zero] {
      for body in [{ try await call.run(store.factory) }, { try call.runWithoutAwait(store.factory) }]
        as [@Sendable () async throws -> Void]
      {
        let error = await #expect(throws: DAOError.self) { try await withDeadline(wait, body) }
        if case .timedOut(.deadline, _)? = error {} else { Issue.record("\(String(describing: error))") }
      }
    }
    await end()
    #expect(try await store.isAsNew())
  }
}
