import DAOSQL
import DAOWaiting
import Foundation
import GRDB

/// How an engine's connections are opened, and waited for.
package struct SQLiteConfiguration: Sendable {
  /// Receives the statements that run; nil where nobody does.
  let statements: StatementObserver?
  /// Receives what else happens to the store.
  let events: (@Sendable (StoreEvent) -> Void)?
  /// Takes what belongs to the calling task to the thread that works for it; nil where nothing does.
  let carrying: CallCarrier?
  /// How long a statement may take; nil for any time.
  let statementTimeout: Duration?
  /// How long a call waits for a connection while none is given back.
  let stallTimeout: Duration
  /// The longest text, blob or row, in bytes.
  let maximumLength: Int
  /// Suspends the store.
  let suspension: Suspension
  /// The pre-update hook, which notes changed rows; nil where triggers do.
  let preUpdate: PreUpdateFunctions?
  /// The entities that are known to fit.
  let checked = CheckedEntities()

  package init(
    statements: StatementObserver?, events: (@Sendable (StoreEvent) -> Void)? = nil, carrying: CallCarrier? = nil,
    statementTimeout: Duration? = nil, stallTimeout: Duration = .seconds(30),
    maximumLength: Int = StoreDescription.defaultMaximumLength, suspension: Suspension = Suspension(),
    notesByTriggers: Bool = false
  ) {
    self.statements = statements
    // Whoever receives them is outside of the session in which they happen.
    self.events = if let events { { event in ThreadMarker.hidingSessions { events(event) } } } else { nil }
    self.carrying = carrying
    self.statementTimeout = statementTimeout
    self.stallTimeout = stallTimeout
    self.maximumLength = maximumLength
    self.suspension = suspension
    preUpdate = notesByTriggers ? nil : .ofSystem
  }

  /// How long a connection waits for another process's lock.
  static let busyTimeout: Duration = .seconds(5)

  func make(isReadOnly: Bool) -> Configuration {
    var configuration = Configuration.untrusting(maximumLength: maximumLength)
    configuration.readonly = isReadOnly
    configuration.leavesMemoryAlone()
    // Switched on below: GRDB's own way takes longer.
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(Self.busyTimeout / .seconds(1))
    // A transaction that a person's own SQL leaves open is an error here, and no end of the process in GRDB.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      if !isReadOnly { try database.checkIsWritable() }
      try database.run("PRAGMA foreign_keys = ON")
      ConnectionFunctions.install(in: database)
    }
    return configuration
  }

  /// A file as a URI with parameters (sqlite.org/uri.html, section 3): without `mode`, SQLite would make a file that is missing.
  static func uri(_ url: URL, _ parameters: String) -> String {
    "\(url.absoluteURL.standardizedFileURL.absoluteString)?\(parameters)&vfs=\(GuardedFileSystem.name)"
  }
}

extension Configuration {
  /// For a connection that does not trust the file's schema; see ``GRDB/Database/distrustSchema(maximumLength:)``.
  static func untrusting(maximumLength: Int = StoreDescription.defaultMaximumLength) -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { $0.distrustSchema(maximumLength: maximumLength) }
    return configuration
  }

  /// On a warning of low memory, GRDB would free a connection's caches on its queue, and the connections that read are used outside of
  /// theirs (``SerialConnection``).
  mutating func leavesMemoryAlone() {
    #if os(iOS)
      automaticMemoryManagement = false
    #endif
  }
}
