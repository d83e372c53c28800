/// A state of a store's schema, as one connection knows it: another mark after every change of the schema, and after every rollback.
///
/// A number alone would not do. A transaction that changes the schema and is rolled back gives its number away, and the next change,
/// perhaps another program's, takes the same one.
package struct SchemaMark: Sendable, Hashable {
  /// The number that the store's file has for its schema.
  package let version: Int64
  /// How often the connection has rolled something back.
  package let rollbacks: Int

  /// A mark.
  package init(version: Int64, rollbacks: Int) {
    self.version = version
    self.rollbacks = rollbacks
  }
}
