import InMemoryLogging
import Logging

extension InMemoryLogHandler {
  /// A logger whose messages are kept here.
  func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "store") { _ in self }
    logger.logLevel = level
    return logger
  }

  /// The messages since the last call.
  func removeAll() -> [Entry] {
    defer { clear() }
    return entries
  }
}

extension InMemoryLogHandler.Entry {
  var text: String { "\(message)" }
}
