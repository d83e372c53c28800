/// A store that can note keys while it reads rows.
package protocol NotingStore: EntityStore {
  /// As ``EntityStore/find(_:in:_:)``, of criteria that prefetch nothing.
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, noting notes: RowNotes) throws -> [E]
}
