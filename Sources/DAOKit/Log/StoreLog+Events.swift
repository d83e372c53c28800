import Logging

// The messages.
extension StoreLog {
  /// Whether every statement is logged.
  var logsAllStatements: Bool { logger.logLevel <= .trace }

  func note(_ statement: StatementTrace) {
    let isSlow = slowerThan.map { statement.duration >= $0 } ?? false
    guard isSlow || logsAllStatements else { return }
    var metadata: Logger.Metadata = ["duration": "\(statement.duration)"]
    if let count = statement.rowCount { metadata["rows"] = "\(count)" }
    if let code = statement.errorCode { metadata["error"] = "\(code)" }
    let text = statement.expanded ?? statement.sql
    if isSlow { logger.warning("slow statement: \(text)", metadata: metadata) } else { logger.trace("\(text)", metadata: metadata) }
  }

  func note(_ event: StoreEvent) {
    switch event {
    case .failed(let error): note(error)
    case .committed, .rolledBack: break
    case .waitsForLock(let isFirst): if isFirst { logger.debug("waits for a lock that another connection holds") }
    case .gaveUpLock: logger.warning("another connection has held a lock for longer than the busy timeout")
    case .longLog(let pages):
      logger.warning("readers without a pause keep the write-ahead log from starting anew", metadata: ["pages": "\(pages)"])
    case .suspended: logger.info("suspended")
    case .resumed: logger.info("resumed")
    }
  }

  /// Logs that a statement failed, without the values that the texts of some errors have.
  private func note(_ error: DAOError) {
    switch error {
    case .engine(let failure) where !failure.isOfProgram: logger.error("\(error)")
    case .readOnly(let entity, _): logger.warning("\(entity ?? "the store") can't be written")
    case _ where showsValues: logger.debug("\(error)")
    case .engine(let failure): logger.debug("SQLite's error \(failure.code) in: \(failure.sql ?? "")")
    case .constraint(let constraint, let entity, let attributes, _):
      logger.debug("the \(constraint.rawValue) constraint of \(entity) does not hold", metadata: ["attributes": "\(attributes)"])
    case .undecodable(let entity, let column, let row, _): logger.debug("\(entity).\(column) in row \(row) can't be read")
    case .overflow(let entity, _): logger.debug("a result over \(entity) does not fit its type")
    case .budgetExceeded, .timedOut: logger.debug("a statement was ended at its limit")
    default: logger.debug("a statement failed")
    }
  }

  /// Logs how the store was opened. The report of an upgrade has rows: of those only the numbers are logged.
  func note(opened report: BootstrapReport) {
    var metadata: Logger.Metadata = ["version": "\(report.storeVersion)", "duration": "\(report.duration)"]
    if let store = report.store { metadata["store"] = "\(store.path)" }
    if showsValues { metadata["report"] = "\(report)" }
    let text = report.outcome.logText
    if case .erased = report.outcome {
      logger.warning("opened: \(text)", metadata: metadata)
    } else {
      logger.info("opened: \(text)", metadata: metadata)
    }
  }

  /// Logs why the store was not opened, without the values that refused migrations and upgrades name.
  func note(notOpened error: any Error) {
    let text: String? =
      switch error {
      case DAOError.bootstrap(let problem): "\(problem.path): \(problem.kind.rawValue)"
      case DAOError.migration(_, let problems): "\(problems.count) problems of its migration"
      case DAOError.schemaMismatch, DAOError.engine, DAOError.invalidDescription: "\(error)"
      case is DAOError, is CancellationError: nil
      default: "\(type(of: error))"
      }
    if let text {
      logger.error("the store was not opened: \(showsValues ? "\(error)" : text)")
    } else {
      logger.debug("the store was not opened\(showsValues ? ": \(error)" : "")")
    }
  }
}

extension BootstrapReport.Outcome {
  fileprivate var logText: String {
    switch self {
    case .copied: "copied from its seed"
    case .created: "created"
    case .reused(let reason): "reused, \(reason)"
    case .replaced(let reason): "replaced by its seed, \(reason)"
    case .erased(let differences): "erased and made anew, with \(differences.count) differences"
    case .reset: "reset"
    case .upgraded(let report):
      "upgraded with \(report.tables.reduce(0) { $0 + $1.added + $1.changed + $1.deleted }) rows of its seed, "
        + "\(report.tables.reduce(0) { $0 + $1.conflicts.count }) conflicts"
    case .adopted: "taken as it is, its seed is the base of the next upgrade"
    case .loaded: "loaded from its seed"
    case .inPlace: "used where it lies"
    }
  }
}

extension DAOError.EngineFailure {
  /// Whether the statement itself is at fault, or the call that ended it: SQLITE_ERROR, _ABORT, _BUSY, _LOCKED, _INTERRUPT, _SCHEMA,
  /// _TOOBIG, _MISMATCH, _MISUSE, _AUTH, _RANGE (sqlite.org/rescode.html).
  fileprivate var isOfProgram: Bool { [1, 4, 5, 6, 9, 17, 18, 20, 21, 23, 25].contains(code & 0xFF) }
}
