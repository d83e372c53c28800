import Foundation
import Logging

/// The log of a store: its logger, and what is logged.
///
/// ```swift
/// let factory = try DAOFactory(store: .named("clock"), entities: Zone.self, log: StoreLog(Logger(label: "clock")))
/// ```
///
/// The logger's level when the store is opened decides:
/// - error: the store can't be opened for what its file, its seed, its migration or its entities are, or for an error of SQLite's; a
///   statement fails by no fault of the program, such as a full disk.
/// - warning: slow statements; a lock that was waited for in vain; a store that can't be written, or was erased because it did not match;
///   a write-ahead log that readers keep long.
/// - info: the store's life cycle.
/// - debug: statements and openings that fail otherwise, and waits for a lock that another connection holds.
/// - trace: every statement, those that make the store, examine, migrate and upgrade it too, with its time, its number of rows and, where
///   it failed, SQLite's error code.
///
/// Values are not logged unless ``showsValues`` requests it.
public struct StoreLog: Sendable {
  /// Takes the messages.
  public var logger: Logger
  /// The duration from which a statement is logged as slow; nil for none. One second by default.
  public var slowerThan: Duration?
  /// Whether statements and errors are logged with their values.
  public var showsValues: Bool

  /// A log.
  /// - Parameters:
  ///   - logger: takes the messages.
  ///   - slowerThan: the duration from which a statement is logged as slow; nil for none.
  ///   - showsValues: whether statements are logged with their values.
  public init(_ logger: Logger, slowerThan: Duration? = .seconds(1), showsValues: Bool = false) {
    self.logger = logger
    self.slowerThan = slowerThan
    self.showsValues = showsValues
  }

  /// A log to standard error for a program of the command line, of the level that an environment variable has: `DAO_LOG=trace`. Nil
  /// where the variable is missing, empty, `off` or `none`; one that is no level is taken for `info`, with a warning.
  public static func environment(label: String, variable: String = "DAO_LOG") -> StoreLog? {
    from(ProcessInfo.processInfo.environment[variable], label, variable, StreamLogHandler.standardError)
  }

  static func from(
    _ value: String?, _ label: String, _ variable: String, _ makeHandler: (String) -> any LogHandler
  ) -> StoreLog? {
    guard let value, !["", "off", "none"].contains(value.lowercased()) else { return nil }
    var logger = Logger(label: label, factory: makeHandler)
    logger.logLevel = Logger.Level(rawValue: value.lowercased()) ?? .info
    if Logger.Level(rawValue: value.lowercased()) == nil {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      logger.warning("\(variable) is no level; it takes one of \(levels)", metadata: ["value": "\(value)"])
    }
    return StoreLog(logger)
  }
}
