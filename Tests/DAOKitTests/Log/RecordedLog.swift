import DAOKit
import Foundation
import Logging

/// The messages that a store logs.
final class RecordedLog: @unchecked Sendable {
  struct Message: CustomStringConvertible {
    let level: Logger.Level
    let text: String
    let metadata: [String: String]
    var description: String { "\(level): \(text) \(metadata)" }
  }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.take(Message(level: event.level, text: "\(event.message)", metadata: (event.metadata ?? [:]).mapValues { "\($0)" }))
    }
  }

  private let lock = NSLock()
  // Guarded by the lock.
  private var taken: [Message] = []

  func take(_ message: Message) { lock.withLock { taken.append(message) } }

  var messages: [Message] { lock.withLock { taken } }

  /// The messages since the last call.
  func removeAll() -> [Message] {
    lock.withLock {
      defer { taken = [] }
      return taken
    }
  }

  var handler: any LogHandler { Handler(log: self, logLevel: .trace) }

  func logger(_ level: Logger.Level) -> Logger { Logger(label: "store") { _ in Handler(log: self, logLevel: level) } }
}
