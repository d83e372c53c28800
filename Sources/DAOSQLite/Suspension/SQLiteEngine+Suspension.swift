import DAOCriteria

extension SQLiteEngine {
  /// Closes the connections that hold locks, each when the call that has it has ended; the suspension keeps others from being opened.
  /// - Returns: what still has one at the deadline, in words; it closes when it is given back.
  func releaseLocks(by deadline: Deadline) throws -> [String] {
    asyncReads.endWaits(by: DAOError.suspended)
    switch mode {
    case .readWrite(let writer, let readers):
      let reading = readers.releaseLocks(by: deadline)
      let isDone = try writer.releaseLocks(by: deadline)
      return (reading > 0 ? ["\(reading) calls that read"] : []) + (isDone ? [] : ["a call that writes"])
    case .readOnly(let readers):
      let reading = readers.releaseLocks(by: deadline)
      return reading > 0 ? ["\(reading) calls that read"] : []
    // The rows of a store in memory are its connection's.
    case .single: return []
    }
  }

  /// Suspends the store on a thread of the engine's.
  package func suspend(within limit: Duration) async throws {
    try suspension.begin()
    try await performMaintenance { try self.suspension.suspend(within: limit) }
  }

  /// Keeps connections again. Errors of opening them are the next call's.
  func goOn() {
    guard case .readWrite(let writer, let readers) = mode else { return readers?.goOn() ?? () }
    // Connections that only read need one that has opened the WAL.
    try? writer.open(for: self)
    readers.goOn()
  }
}
