import DAOCriteria
import DAOWaiting
import Foundation

extension SQLiteEngine {
  /// Closes the store and removes it with every file that belongs to it. Where that fails, the store goes on as it was; where only what
  /// lies beside it stays, it is closed.
  package func destroy(removingBackups: Bool, within limit: Duration) throws {
    let deadline = Deadline(limit)
    switch mode {
    case .readOnly: throw DAOError.readOnly(entity: nil, reason: "the store is a seed used where it lies, which is never removed")
    case .single: try close(within: limit)
    case .readWrite:
      let origin = try originOfFile()
      try alone(by: deadline) {
        let wasOpen = try shut(by: deadline, limit)
        do { try origin.observed { try origin.store.destroy(removingBackups: removingBackups, within: limit) } } catch {
          if wasOpen, try Files.status(name) != nil { stayOpen() }
          throw error
        }
      }
      feed.publishReload()
    }
  }

  /// Creates the store again from its seed, or from the entities, and continues with it. Where that fails, the store goes on as it was;
  /// where only opening the new one does, it is closed.
  package func reset(within limit: Duration) throws -> BootstrapReport {
    switch mode {
    case .readOnly: throw DAOError.readOnly(entity: nil, reason: "the store is a seed used where it lies, which is never written")
    case .single(let slot): return try resetMemory(slot, within: limit)
    case .readWrite:
      let origin = try originOfFile()
      return try alone(by: Deadline(limit)) {
        try suspension.run {
          let report: BootstrapReport
          var wasOpen = false
          // Making the new store may take its time; only what comes after it is limited.
          do {
            report = try origin.observed {
              try origin.store.reset(origin.entities, within: limit) { wasOpen = try shut(by: Deadline(limit), limit) }
            }
          } catch {
            if wasOpen { stayOpen() }
            throw error
          }
          _ = try open(again: origin)
          return report
        }
      }
    }
  }

  /// A store in memory keeps its one connection. SQLite's copying of a database into another is a transaction of the latter.
  private func resetMemory(_ slot: WriterSlot, within limit: Duration) throws -> BootstrapReport {
    guard let origin else { throw DAOError.unsupported("an engine that was filled by hand has no seed to go back to") }
    return try alone(by: Deadline(limit)) {
      let (opened, report) = try origin.open()
      guard case .memory(let fresh) = opened else { throw DAOError.unsupported("a store is reset to what it was") }
      let isDone = try slot.prepare(by: Deadline(limit)) { old in
        // The new schema may be another one.
        old.endCapture()
        try old.prepare { old in try fresh.prepare { new in try new.backup(to: old) } }
      }
      guard isDone else {
        if let error = BlockedThread.callEnd("the reset of the store") { throw error }
        throw DAOError.bootstrap(
          DAOError.BootstrapProblem(.locked, path: name, "a call had not ended after \(limit), so the store stays as it was"))
      }
      feed.publishReload()
      return report.with(.reset)
    }
  }

  private func originOfFile() throws -> StoreOrigin {
    guard let origin else { throw DAOError.unsupported("an engine that was handed a file leaves it to others to remove or reset it") }
    return origin
  }
}
