import DAOCriteria

/// How a store was opened, so that it can be opened once more.
struct StoreOrigin: Sendable {
  let store: StoreDescription
  let entities: [EntityDescription]
  let configuration: SQLiteConfiguration

  /// Makes the store ready again and opens it.
  func open() throws -> (opened: OpenedStore, report: BootstrapReport) {
    try store.working { try store.ready(entities, configuration) }
  }
}
