#if Metrics
  import Dispatch
  import Foundation
  import Metrics

  /// Records how many connections of a store are in use, and how many calls wait for one: when a statement begins, and then ten times a
  /// second until there are none.
  final class LoadGauges: @unchecked Sendable {
    private let (inUse, waiting): (Gauge, Gauge)
    private let lock = NSLock()
    // Guarded by the lock.
    private weak var engine: SQLiteEngine?
    // Guarded by the lock. Whether the next measurement is due in a moment.
    private var isDue = false

    init(dimensions: [(String, String)]) {
      inUse = Gauge(label: "dao_connections_in_use", dimensions: dimensions)
      waiting = Gauge(label: "dao_calls_waiting", dimensions: dimensions)
    }

    /// Measures an engine from now on.
    func follow(_ engine: SQLiteEngine) { lock.withLock { self.engine = engine } }

    /// Measures while connections are in use, unless that is under way.
    @Sendable func statementBegins() {
      let begins = lock.withLock {
        if isDue || engine == nil { return false }
        isDue = true
        return true
      }
      if begins { measure() }
    }

    // Whoever records that connections are in use has it measured once more afterwards, or finds that this is due: the last value is 0.
    private func measure() {
      let engine = lock.withLock {
        isDue = false
        return self.engine
      }
      let load = engine?.load ?? (connectionsInUse: 0, waiting: 0)
      inUse.record(load.connectionsInUse)
      waiting.record(load.waiting)
      if load == (0, 0) { return }
      let isFirst = lock.withLock {
        defer { isDue = true }
        return !isDue
      }
      if isFirst { DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(100)) { self.measure() } }
    }
  }
#endif
