#if Metrics
  import Foundation
  import Metrics

  /// Records a store's statements, transactions and connections in the metrics system of the process.
  final class StoreMetrics: @unchecked Sendable {
    private let (kept, compiled): (Counter, Counter)
    private let duration: Metrics.Timer
    private let (rows, commits, rollbacks, failures, retries): (Counter, Counter, Counter, Counter, Counter)
    private let (inUse, waiting): (Gauge, Gauge)
    private let lock = NSLock()
    // Guarded by the lock.
    private weak var engine: SQLiteEngine?
    // Guarded by the lock.
    private var measured: ContinuousClock.Instant?

    init(store: String) {
      let name = [("store", store)]
      kept = Counter(label: "dao_statements", dimensions: name + [("kept", "true")])
      compiled = Counter(label: "dao_statements", dimensions: name + [("kept", "false")])
      duration = Metrics.Timer(label: "dao_statement_duration", dimensions: name)
      rows = Counter(label: "dao_rows", dimensions: name)
      commits = Counter(label: "dao_commits", dimensions: name)
      rollbacks = Counter(label: "dao_rollbacks", dimensions: name)
      failures = Counter(label: "dao_failures", dimensions: name)
      retries = Counter(label: "dao_lock_retries", dimensions: name)
      inUse = Gauge(label: "dao_connections_in_use", dimensions: name)
      waiting = Gauge(label: "dao_calls_waiting", dimensions: name)
    }

    /// Measures the connections of an engine from now on.
    func follow(_ engine: SQLiteEngine) {
      lock.withLock {
        self.engine = engine
        measured = nil
      }
    }

    @Sendable func note(_ statement: StatementTrace) {
      (statement.isReused ? kept : compiled).increment()
      let (seconds, attoseconds) = statement.duration.components
      duration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
      if let count = statement.rowCount, count > 0 { rows.increment(by: count) }
      guard let load = dueEngine()?.load else { return }
      inUse.record(load.connectionsInUse)
      waiting.record(load.waiting)
    }

    /// The engine, ten times a second at most: to count those who wait takes time for each of them.
    private func dueEngine() -> SQLiteEngine? {
      lock.withLock {
        let now = ContinuousClock.now
        if let measured, now - measured < .milliseconds(100) { return nil }
        measured = now
        return engine
      }
    }

    func note(_ event: StoreEvent) {
      switch event {
      case .failed: failures.increment()
      case .committed: commits.increment()
      case .rolledBack: rollbacks.increment()
      case .waitsForLock: retries.increment()
      case .gaveUpLock, .longLog, .suspended, .resumed: break
      }
    }
  }
#endif
