/// The description of an entity: names, attributes, key, indexes, relationships.
///
/// `@Entity` writes it, a store's schema yields it for dynamic entities, and it can be written by hand:
///
/// ```swift
/// static let entityDescription = EntityDescription(
///   "zone", key: .generated("id"),
///   attributes: [
///     Attribute("id", .integer),
///     Attribute("name", .text),
///     Attribute("comment", .text, optional: true),
///   ],
///   indexes: [Index(on: "name", unique: true)])
/// ```
///
/// becomes
///
/// ```sql
/// CREATE TABLE "zone" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "comment" TEXT);
/// CREATE UNIQUE INDEX "zone_on_name" ON "zone" ("name");
/// ```
///
/// A description is immutable. ``problems`` lists its problems; a store refuses an entity with any.
public final class EntityDescription: Sendable {
  /// How rows are identified.
  public enum Key: Sendable, Hashable {
    /// An `Int64` that the store generates: `INTEGER PRIMARY KEY`.
    case generated(String)
    /// One or more attributes that the program fills: natural keys, UUIDs, composite keys.
    case assigned([String])

    /// The names of the key's attributes.
    public var attributes: [String] {
      switch self {
      case .generated(let name): [name]
      case .assigned(let names): names
      }
    }
  }

  /// The source of the rows.
  public enum Source: Sendable, Hashable {
    /// A table.
    case table
    /// A view; the entity is read-only. The definition is the `SELECT` for stores that are made from descriptions.
    case view(definition: String?)
  }

  /// The entity's name, in criteria and messages.
  public let name: String
  /// The table or view that holds the rows.
  public let table: String
  /// Table or view.
  public let source: Source
  /// The attributes, in the order in which an entity reads and writes them.
  public let attributes: [Attribute]
  /// The primary key.
  public let key: Key
  /// Indexes beside the key's own.
  public let indexes: [Index]
  /// The relationships to other entities.
  public let relationships: [Relationship]
  /// The names that it had before, the latest first. A saved criteria that has one of them is read as if it had ``name``; and a store that
  /// has no table of its name, and one of these, has that renamed by a migration: `ALTER TABLE … RENAME`.
  public let renamedFrom: [String]
  /// The attributes by which records of feeds are found among the rows; the key unless others are named.
  public let identity: [String]

  /// Whether rows can only be read.
  public let isReadOnly: Bool
  /// The key's attributes, in the key's order.
  public let keyAttributes: [Attribute]
  /// The types of the attributes.
  public let types: [AttributeType]
  /// The types of the key's attributes.
  public let keyTypes: [AttributeType]

  /// Orders by the key, which every page's orders end in; made once, since pages are many.
  let keyOrders: (ascending: [Criteria.Ordering], descending: [Criteria.Ordering])

  /// Whether the key's attributes may be optional: SQLite allows nulls in a key without NOT NULL: a store made by others may have some.
  let mayHaveNullKeys: Bool

  /// Whether rows may have the same key: nothing is known of those of a view, several keys may be null, and texts may spell one decimal or
  /// one instant.
  package let mayRepeatKeys: Bool

  private let positions: [String: Int]
  /// The position of the attribute that numbers the changes of a row.
  package let versionPosition: Int?

  /// Describes an entity.
  /// - Parameters:
  ///   - name: the entity's name.
  ///   - table: the table's name, where it differs.
  ///   - source: a table, or a view, which makes the entity read-only.
  ///   - key: which attributes identify a row.
  ///   - attributes: all attributes, in the order in which the entity reads and writes them.
  ///   - indexes: indexes beside the key's own.
  ///   - relationships: the relationships to other entities.
  ///   - renamedFrom: names that it had before, in criteria that were saved and as the table of older stores.
  ///   - identity: the attributes by which records of feeds are found among the rows, where they are not the key. An index of them makes
  ///     imports fast, a unique one keeps others from adding a second row.
  public convenience init(
    _ name: String, table: String? = nil, source: Source = .table, key: Key, attributes: [Attribute], indexes: [Index] = [],
    relationships: [Relationship] = [], renamedFrom: [String] = [], identity: [String]? = nil
  ) {
    self.init(
      name, table: table, source: source, key: key, attributes: attributes, indexes: indexes, relationships: relationships,
      renamedFrom: renamedFrom, identity: identity, mayHaveNullKeys: false)
  }

  /// Describes an entity of a store that others made, whose keys may have nulls.
  package init(
    _ name: String, table: String? = nil, source: Source = .table, key: Key, attributes: [Attribute], indexes: [Index] = [],
    relationships: [Relationship] = [], renamedFrom: [String] = [], identity: [String]? = nil, mayHaveNullKeys: Bool
  ) {
    self.mayHaveNullKeys = mayHaveNullKeys
    self.name = name
    self.table = table ?? name
    self.source = source
    isReadOnly = source != .table
    self.key = key
    self.attributes = attributes
    self.indexes = indexes
    self.relationships = relationships
    self.renamedFrom = renamedFrom
    self.identity = identity ?? key.attributes
    let positions = Dictionary(attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.positions = positions
    keyAttributes = key.attributes.compactMap { positions[$0].map { attributes[$0] } }
    let keyTerms = key.attributes.map { Criteria.Term.field(FieldPath($0)) }
    keyOrders = (keyTerms.map { Criteria.Ordering($0, .ascending) }, keyTerms.map { Criteria.Ordering($0, .descending) })
    versionPosition = attributes.firstIndex(where: \.isVersion)
    types = attributes.map(\.type)
    keyTypes = keyAttributes.map(\.type)
    mayRepeatKeys = isReadOnly || keyAttributes.contains { $0.isOptional || $0.type.hasSeveralForms && $0.type.order != nil }
  }

  /// Returns the index of the attribute of this name, if there is one.
  public func position(of attribute: String) -> Int? { positions[attribute] }

  /// The attribute of this name, if there is one.
  public subscript(attribute: String) -> Attribute? { positions[attribute].map { attributes[$0] } }

  /// Whether the store generates the key.
  public var hasGeneratedKey: Bool { if case .generated = key { true } else { false } }
}

extension EntityDescription: Hashable {
  /// Equality by content.
  public static func == (lhs: EntityDescription, rhs: EntityDescription) -> Bool {
    lhs === rhs
      || lhs.name.isSpelled(as: rhs.name) && lhs.table.isSpelled(as: rhs.table) && lhs.source == rhs.source && lhs.key == rhs.key
        && lhs.attributes == rhs.attributes
        && lhs.indexes == rhs.indexes && lhs.relationships == rhs.relationships
        && lhs.identity == rhs.identity
  }

  /// Feeds name and table.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(table)
  }
}
