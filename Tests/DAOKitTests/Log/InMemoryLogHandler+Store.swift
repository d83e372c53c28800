import CriteriaTesting
import DAOKit
import InMemoryLogging
import Logging

extension InMemoryLogHandler {
  /// A logger whose messages are kept here.
  func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "store") { _ in self }
    logger.logLevel = level
    return logger
  }

  /// A store of zones whose log is kept here.
  func factory(
    _ level: Logger.Level, slowerThan: Duration? = nil, showsValues: Bool = false, _ store: StoreDescription = .inMemory()
  ) throws -> DAOFactory {
    try DAOFactory(
      store: store, entities: Zone.self, log: StoreLog(logger(level), slowerThan: slowerThan, showsValues: showsValues))
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
