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
    let text = statement.expanded ?? statement.sql
    if isSlow { logger.warning("slow statement: \(text)", metadata: metadata) } else { logger.trace("\(text)", metadata: metadata) }
  }

  func note(_ event: StoreEvent) {
    switch event {
    case .failed(let error): note(error)
    case .waitsForLock(let isFirst): if isFirst { logger.debug("waits for another process's lock") }
    case .gaveUpLock: logger.warning("another process has held a lock for longer than the busy timeout")
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
    case _ where showsValues: logger.debug("\(error)")
    case .engine(let failure): logger.debug("SQLite's error \(failure.code) in: \(failure.sql ?? "")")
    case .constraint(let constraint, let entity, let attributes, _):
      logger.debug("the \(constraint.rawValue) constraint of \(entity) does not hold", metadata: ["attributes": "\(attributes)"])
    case .undecodable(let entity, let column, let row, _): logger.debug("\(entity).\(column) in row \(row) can't be read")
    case .overflow(let entity, _): logger.debug("a result over \(entity) does not fit its type")
    default: logger.debug("a statement failed")
    }
  }

  func note(opened report: BootstrapReport) {
    let text = "\(report)".split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: ", ")
    if case .erased = report.outcome { logger.warning("opened: \(text)") } else { logger.info("opened: \(text)") }
  }

  func note(notOpened error: any Error) { logger.error("the store can't be opened: \(error)") }
}

extension DAOError.EngineFailure {
  /// Whether the statement itself is at fault, or the call that ended it: SQLITE_ERROR, _ABORT, _BUSY, _LOCKED, _INTERRUPT, _SCHEMA,
  /// _TOOBIG, _MISMATCH, _MISUSE, _RANGE (sqlite.org/rescode.html).
  fileprivate var isOfProgram: Bool { [1, 4, 5, 6, 9, 17, 18, 20, 21, 25].contains(code & 0xFF) }
}
