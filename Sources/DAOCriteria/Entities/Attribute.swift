/// One attribute of an entity: its Swift name, the column that keeps it, and its rules.
///
/// ```swift
/// Attribute("comment", .text, optional: true)      // "comment" TEXT
/// Attribute("createdAt", .date(.unixMilliseconds), column: "created_at")
/// Attribute("title", .text, searchable: true)           // and a column of the search table
/// Attribute("version", .integer, version: true)         // raised by each change of the row
/// Attribute("total", .real, generated: true)            // "total" REAL NOT NULL GENERATED ALWAYS AS (price * quantity)
/// ```
public struct Attribute: Sendable, Hashable {
  /// The name in Swift and in criteria.
  public let name: String
  /// The column's name; the attribute's name by default.
  public let column: String
  /// The type of the values and the form in which they are stored.
  public let type: AttributeType
  /// Whether it may be null.
  public let isOptional: Bool
  /// The value that the schema gives to rows inserted by others without one.
  public let defaultValue: Scalar?
  /// The entity whose key this attribute holds.
  public let reference: ForeignKey?
  /// Whether rows are found by its words; see ``FullTextMatch``.
  public let isSearchable: Bool
  /// Whether it numbers the changes of its row, so that a stale write is a ``DAOError/conflict(_:)``.
  public let isVersion: Bool
  /// Whether the store computes it from the other columns of its row: `GENERATED ALWAYS AS`, `VIRTUAL` or `STORED`.
  ///
  /// It is read with the row, and criteria use it like any other. Nothing writes it: inserts, updates, upserts and imports ignore the value
  /// that they are given, and `update(_:set:)` refuses it. An entity that was written has the value that it was given; the next fetch has
  /// the store's.
  ///
  /// Only the store knows the expression. A new store can't be made from such an entity, and a migration neither adds the column nor
  /// changes it.
  public let isGenerated: Bool
  /// The names that it had before, the latest first. A saved criteria that has one of them is read as if it had ``name``; and a store that
  /// has no column of its name, and one of these, has that renamed by a migration: `ALTER TABLE … RENAME`.
  public let renamedFrom: [String]
  /// How records of feeds hold its values.
  public let mapping: AttributeMapping

  /// Describes an attribute.
  /// - Parameters:
  ///   - name: the name in Swift and in criteria.
  ///   - type: the type of its values and the form in which they are stored.
  ///   - column: the column's name, where it differs.
  ///   - optional: whether it may be null.
  ///   - defaultValue: the schema's default.
  ///   - reference: the table and column that it points to, as a foreign key.
  ///   - searchable: whether rows are found by its words; for text, in tables with a key of one integer.
  ///   - version: whether it numbers the changes of its row; for one integer of an entity, which is not optional and no part of the key.
  ///   - generated: whether the store computes it, so that it is only read.
  ///   - renamedFrom: names that it had before, in criteria that were saved and as the column of older stores.
  ///   - mapping: how records of feeds hold its values.
  public init(
    _ name: String, _ type: AttributeType, column: String? = nil, optional: Bool = false, default defaultValue: Scalar? = nil,
    references reference: ForeignKey? = nil, searchable: Bool = false, version: Bool = false,
    generated: Bool = false, renamedFrom: [String] = [], mapping: AttributeMapping = AttributeMapping()
  ) {
    self.name = name
    self.column = column ?? name
    self.type = type
    self.isOptional = optional
    self.defaultValue = defaultValue
    self.reference = reference
    self.isSearchable = searchable
    isVersion = version
    isGenerated = generated
    self.renamedFrom = renamedFrom
    self.mapping = mapping
  }
}
