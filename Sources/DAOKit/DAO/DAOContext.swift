/// The context of a DAO: the store of its data. Factories and sessions make it.
public struct DAOContext: Sendable {
  /// The store, or the session's part of it.
  public let store: any EntityStore
  /// The entity, where it is only known at run time.
  let entity: EntityDescription?

  package init(_ store: any EntityStore, entity: EntityDescription? = nil) {
    self.store = store
    self.entity = entity
  }
}
