/// An index over attributes of an entity.
///
/// ```swift
/// Index(on: "countryCode", "name")                 // CREATE INDEX "zone_on_countryCode_name"
/// Index(on: "tenant", "number", unique: true)      // CREATE UNIQUE INDEX …
/// Index(on: "score", "name", descending: ["name"]) // … ("score", "name" DESC), for orders of mixed directions
/// ```
///
/// An index is read in either direction: one that is all ascending serves orders that are all descending too.
public struct Index: Sendable, Hashable {
  /// The attributes, in the index's order.
  public let attributes: [String]
  /// Those of them whose values go from the largest to the smallest.
  public let descending: [String]
  /// Whether no two rows may have the same values.
  public let isUnique: Bool

  /// An index over the attributes of these names.
  public init(on attributes: String..., descending: [String] = [], unique: Bool = false) {
    self.init(on: attributes, descending: descending, unique: unique)
  }

  /// An index over the attributes of these names.
  public init(on attributes: [String], descending: [String] = [], unique: Bool) {
    self.attributes = attributes
    self.descending = descending
    self.isUnique = unique
  }
}
