#if Metrics
  import Metrics

  /// Records a store's statements, transactions and connections in the metrics system of the process.
  struct StoreMetrics: Sendable {
    private let (kept, compiled): (Counter, Counter)
    private let duration: Metrics.Timer
    private let (rows, commits, rollbacks, failures, retries): (Counter, Counter, Counter, Counter, Counter)
    let load: LoadGauges

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
      load = LoadGauges(dimensions: name)
    }

    @Sendable func note(_ statement: StatementTrace) {
      (statement.isReused ? kept : compiled).increment()
      let (seconds, attoseconds) = statement.duration.components
      duration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
      if let count = statement.rowCount, count > 0 { rows.increment(by: count) }
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
