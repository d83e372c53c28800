/// One attribute of an entity: its Swift name, the column that keeps it, and its rules.
///
/// ```swift
/// Attribute("comment", .text, optional: true)      // "comment" TEXT
/// Attribute("createdAt", .date(.unixMilliseconds), column: "created_at")
/// Attribute("title", .text, searchable: true)           // and a column of the search table
/// ```
public struct Attribute: Sendable, Hashable {
  /// The name in Swift and in criteria.
  public let name: String
  /// The column's name; the attribute's name unless told otherwise.
  public let column: String
  /// What it holds and how it is stored.
  public let type: AttributeType
  /// Whether it may be null.
  public let isOptional: Bool
  /// The value that the schema gives to rows inserted by others without one.
  public let defaultValue: Scalar?
  /// The entity whose key this attribute holds.
  public let reference: ForeignKey?
  /// Whether rows are found by its words; see ``Match``.
  public let isSearchable: Bool
  /// The names that it had before, the latest first. A saved criteria that has one of them is read as if it had ``name``; and a store that has no column of
  /// its name, and one of these, has that renamed by a migration: `ALTER TABLE … RENAME`.
  public let renamedFrom: [String]

  /// Describes an attribute.
  /// - Parameters:
  ///   - name: the name in Swift and in criteria.
  ///   - type: what it holds and how it is stored.
  ///   - column: the column's name, where it differs.
  ///   - optional: whether it may be null.
  ///   - defaultValue: the schema's default.
  ///   - reference: the table and column that it points to, as a foreign key.
  ///   - searchable: whether rows are found by its words; for text, in tables with a key of one integer.
  ///   - renamedFrom: names that it had before, in criteria that were saved and as the column of older stores.
  public init(
    _ name: String, _ type: AttributeType, column: String? = nil, optional: Bool = false, default defaultValue: Scalar? = nil,
    references reference: ForeignKey? = nil, searchable: Bool = false, renamedFrom: [String] = []
  ) {
    self.name = name
    self.column = column ?? name
    self.type = type
    self.isOptional = optional
    self.defaultValue = defaultValue
    self.reference = reference
    self.isSearchable = searchable
    self.renamedFrom = renamedFrom
  }
}

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
