import DAOCriteria

/// How a store was opened, so that it can be opened once more.
struct StoreOrigin: Sendable {
  let store: StoreDescription
  let entities: [EntityDescription]
  let configuration: SQLiteConfiguration

  /// Makes the store ready again and opens it.
  func open() throws -> (opened: OpenedStore, report: BootstrapReport) {
    try observed { try store.working { try store.ready(entities, configuration) } }
  }

  /// Runs a body that makes the store ready, or anew, or removes it, with whoever observes the statements of the open store.
  func observed<Result>(_ body: () throws -> Result) rethrows -> Result {
    try StatementObserver.$ofOpening.withValue(configuration.statements) { try body() }
  }
}
