import DAOCriteria
import DAOWaiting
import Foundation

extension SQLiteEngine {
  /// Closes all connections when the calls that run have ended. Calls that come later throw ``DAOError/closed(store:)``.
  package func close(within limit: Duration) throws {
    let deadline = Deadline(limit)
    // Those who follow it read again, and have the error that says so.
    if try alone(by: deadline, { try shut(by: deadline, limit) }) { feed.publishReload() }
  }

  /// Closes the store where it is open, and opens it as when its factory was made.
  package func reopen(within limit: Duration) throws -> BootstrapReport {
    guard let origin else { throw DAOError.unsupported("an engine that was handed a file can't open it again; make a new one") }
    if case .single = mode { throw DAOError.unsupported("a store in memory is gone when it is closed; make a new factory") }
    let deadline = Deadline(limit)
    return try alone(by: deadline) {
      try suspension.run {
        _ = try shut(by: deadline, limit)
        return try open(again: origin)
      }
    }
  }

  /// Goes on with the store, which is closed, as its origin makes it ready now. Where that fails, it stays closed.
  func open(again origin: StoreOrigin) throws -> BootstrapReport {
    let (opened, report) = try origin.open()
    life.isClosed = false
    // A call that is cancelled half-way would leave the store half open.
    return try BlockedThread.uninterrupted {
      do {
        switch (mode, opened) {
        case (.readWrite(let writer, let readers), .file(let file, let looked)):
          try writer.resume(substitute: looked, open: file.writer)
          // Before the first read: in a file that is not in WAL mode yet, readers would be in its way.
          if looked == nil { try writer.open(for: self) }
          readers.resume(idle: looked.map { [$0] } ?? [], open: file.reader)
        case (.readOnly(let readers), .unchanging(let file)): readers.resume(idle: [], open: file.unchangingReader)
        default: throw DAOError.unsupported("a store is opened again as what it was")
        }
        try report.storeHasOpened()
        followAgain()
        return report
      } catch {
        // Reads that use it meanwhile finish first.
        _ = try? shut(by: Deadline(.seconds(5)), .seconds(5))
        throw error
      }
    }
  }

  /// Goes on with the file as it was.
  func stayOpen() {
    life.isClosed = false
    switch mode {
    case .readWrite(let writer, let readers):
      BlockedThread.uninterrupted {
        try? writer.resume()
        // Connections that only read need one that has opened the WAL. Where it can't be opened, its error is the next call's.
        try? writer.open(for: self)
      }
      readers.resume()
    case .readOnly(let readers): readers.resume()
    case .single: break
    }
    followAgain()
  }

  /// Closes all connections; where somebody is in the way, all goes on as before, but streams that were open have ended.
  /// - Returns: false for a store that is closed already.
  /// - Throws: `CancellationError` and ``DAOError/timedOut(_:message:)`` where the call is over that closes it.
  func shut(by deadline: Deadline, _ limit: Duration) throws -> Bool {
    if life.isClosed { return false }
    let refusal = DAOError.closed(store: name)
    func refuse(_ inTheWay: String) throws {
      if let error = BlockedThread.callEnd("the closing of the store") { throw error }
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(.locked, path: name, "\(inTheWay) after \(limit), so the store stays open"))
    }
    switch mode {
    case .readWrite(let writer, let readers):
      let reading = readers.close(by: deadline, refusal)
      if reading > 0 { try refuse("\(reading) of its calls that read had not ended") }
      // The one that can write closes last: only it can fold the WAL in and remove its files. Until it has, nothing is closed permanently.
      do {
        if try !writer.close(by: deadline, refusal) { try refuse("a call that writes had not ended") }
      } catch {
        readers.resume()
        throw error
      }
    case .readOnly(let readers):
      let reading = readers.close(by: deadline, refusal)
      if reading > 0 { try refuse("\(reading) of its calls that read had not ended") }
    case .single(let slot):
      if try !slot.close(by: deadline, refusal) { try refuse("a call had not ended") }
    }
    life.isClosed = true
    watch.end()
    return true
  }

  /// Runs a body that closes, opens, removes or resets the store, on a thread of the engine's.
  package func performMaintenance<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await life.line.perform(.maintenance, by: TimeLimit.scoped, isolation: nil, carrying(body))
  }

  /// Runs what concerns the store as a whole: one at a time, and never inside a closure of the store, for whose end it would wait.
  func alone<Result>(by deadline: Deadline, _ body: () throws -> Result) throws -> Result {
    try refuseNesting(.misuse("a store was closed, removed, reset or compacted inside one of its closures", use: "the same call after it"))
    guard let result = try life.alone(by: deadline, { try ThreadMarker.entering(self, body) }) else {
      if let error = BlockedThread.callEnd("the wait for another call that closes, opens, removes or resets the store") { throw error }
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(.locked, path: name, "another call is closing, opening, removing or resetting the store"))
    }
    return result
  }
}
