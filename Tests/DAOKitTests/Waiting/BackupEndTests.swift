import DAOKit
import Foundation
import Testing

@Suite("A backup that is cancelled, or meets its deadline", .timeLimit(.minutes(60)))
struct BackupEndTests {
  private let folder: StoreFolder
  private let factory: DAOFactory
  private let hour = Duration.seconds(3600)

  /// A store of a dozen pieces.
  init() throws {
    folder = try StoreFolder()
    factory = try DAOFactory(store: .file(folder.file("store")), entities: Zone.self)
    try factory.runtimeDAO(Zone.self).insert((0..<200).map { Zone("filler \($0)", 0, String(repeating: "x", count: 60_000)) })
  }

  /// Nothing is left of the backup, and the store is as good as new.
  private func isAsBefore() async throws -> Bool {
    guard try folder.names.filter({ !$0.hasPrefix("store") }) == [] else { return false }
    try await factory.backUp(to: folder.file("saved"), within: hour)
    guard try folder.zones("saved").count == 200 else { return false }
    try await factory.close()
    return folder.openFiles ?? [] == []
  }

  /// A task, and the pieces that it has copied.
  private final class Copying: @unchecked Sendable {
    var task: Task<Void, any Error>?
    var pieces = 0
  }

  @Test func `ends before the next piece when its task is cancelled, and leaves nothing`() async throws {
    let (copying, ready) = (Copying(), DispatchSemaphore(value: 0))
    let (factory, file) = (factory, folder.file("saved"))
    copying.task = Task {
      try await factory.backUp(to: file) { _, _ in
        ready.wait()
        copying.pieces += 1
        copying.task?.cancel()
        // The piece after is not copied, so the next wait never begins.
      }
    }
    ready.signal()
    await #expect(throws: CancellationError.self) { try await copying.task?.value }
    #expect(copying.pieces == 1)
    #expect(try await isAsBefore())
  }

  @Test func `ends before the next piece at its deadline, with and without await, and leaves nothing`() async throws {
    let file = folder.file("saved")
    let limit = Duration.milliseconds(20)
    for isAwaited in [true, false] {
      let (copying, clock) = (Copying(), ContinuousClock())
      let progress: @Sendable (Int64, Int64) -> Void = { _, _ in
        copying.pieces += 1
        // Each piece that is copied takes the whole time that there is.
        let end = clock.now + limit
        while clock.now < end { usleep(1000) }
      }
      await expectDeadline {
        if isAwaited {
          try await withDeadline(limit) { try await factory.backUp(to: file, progress: progress) }
        } else {
          try Self.withoutAwait(limit) { try factory.backUp(to: file, progress: progress) }
        }
      }
      #expect(copying.pieces <= 1)
    }
    #expect(try await isAsBefore())
  }

  @Test func `ends its wait for whoever has the backup's file open, and leaves that as it is`() async throws {
    let other = try DAOFactory(store: .file(folder.file("other")), entities: Zone.self)
    try await other.runtimeDAO(Zone.self).insert(Zone.samples)
    let (factory, file, hour) = (factory, folder.file("other"), hour)
    // The first is cancelled in its wait, which nobody else ends, the second before or at its begin.
    for wait in [Duration.milliseconds(30), .zero] {
      let task = Task { try await factory.backUp(to: file, within: hour) }
      try await Task.sleep(for: wait)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await expectDeadline { try await withDeadline(wait) { try await factory.backUp(to: file, within: hour) } }
      await expectDeadline { try Self.withoutAwait(wait) { try factory.backUp(to: file, within: hour) } }
    }
    #expect(try await other.runtimeDAO(Zone.self).count() == Zone.samples.count)
    try await other.destroy()
    #expect(try await isAsBefore())
  }

  @Test func `ends its wait for a connection`() async throws {
    let held = (0..<max(4, ProcessInfo.processInfo.activeProcessorCount)).map { [factory] _ in
      Held { end in try factory.read { _ in end() } }
    }
    let (factory, file) = (factory, folder.file("saved"))
    for wait in [Duration.milliseconds(20), .zero] {
      let task = Task { try await factory.backUp(to: file) }
      try await Task.sleep(for: wait)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await expectDeadline { try await withDeadline(wait) { try await factory.backUp(to: file) } }
    }
    for held in held { held.release() }
    #expect(try await isAsBefore())
  }

  private static func withoutAwait(_ limit: Duration, _ body: () throws -> Void) throws { try withDeadline(limit, body) }

  private func expectDeadline(_ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) async {
    let error = await #expect(throws: DAOError.self, sourceLocation: sourceLocation) { try await body() }
    if case .timedOut(.deadline, _)? = error {} else { Issue.record("\(String(describing: error))", sourceLocation: sourceLocation) }
  }
}
