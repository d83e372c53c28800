/// The receivers of a store's statements and events: its log, a closure of the app, and metrics and spans where their traits are on.
struct StoreObservation {
  let statements: StatementObserver?
  let events: (@Sendable (StoreEvent) -> Void)?
  let carrying: CallCarrier?
  private let log: StoreLog?
  #if Metrics
    private let metrics: StoreMetrics
  #endif

  init(of store: StoreDescription, _ log: StoreLog?, _ trace: (@Sendable (StatementTrace) -> Void)?) {
    self.log = log
    var receivers: [@Sendable (StatementTrace) -> Void] = []
    // Where nobody else wants all of them, fast ones are not reported to anybody.
    var minimum = Duration.zero
    if let trace { receivers.append(trace) }
    #if Metrics
      let metrics = StoreMetrics(store: store.name)
      self.metrics = metrics
      receivers.append(metrics.note)
      let begins = metrics.load.statementBegins
    #else
      let begins: (@Sendable () -> Void)? = nil
    #endif
    #if Tracing
      receivers.append(StatementSpans(store: store.name).note)
      carrying = .spans
    #else
      carrying = nil
    #endif
    if let log, log.logsAllStatements || log.slowerThan != nil && log.logger.logLevel <= .warning {
      if receivers.isEmpty, !log.logsAllStatements, let slow = log.slowerThan { minimum = slow }
      receivers.append { log.note($0) }
    }
    let all = receivers
    statements =
      all.isEmpty
      ? nil
      : StatementObserver(minimum: minimum, showsValues: log?.showsValues ?? false, begins: begins) { statement in
        for receive in all { receive(statement) }
      }
    #if Metrics
      events = {
        log?.note($0)
        metrics.note($0)
      }
    #else
      events = if let log { { log.note($0) } } else { nil }
    #endif
  }

  /// Goes on with the store that has opened.
  func note(_ engine: SQLiteEngine, _ report: BootstrapReport) {
    log?.note(opened: report)
    #if Metrics
      metrics.load.follow(engine)
    #endif
  }
}
