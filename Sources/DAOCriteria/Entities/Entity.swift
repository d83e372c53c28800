/// A value type whose instances are rows of a store.
///
/// `@Entity` writes the conformance. Written by hand it has four parts: the description, the fields that criteria may name, reading and
/// writing. Columns are read and written in the order of the description's attributes.
///
/// ```swift
/// struct Country: Entity {
///   var code: String
///   var name: String
///
///   static let entityDescription = EntityDescription(
///     "country", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text)])
///
///   struct Fields: EntityFields {
///     let path: FieldPath
///     init(path: FieldPath) { self.path = path }
///     var code: Field<String> { path.field("code") }
///     var name: Field<String> { path.field("name") }
///   }
///
///   var primaryKey: String? { code }
///   init(row: inout RowReader) throws { code = try row.next(); name = try row.next() }
///   func write(to row: inout ColumnWriter) throws { try row.write(code); try row.write(name) }
/// }
/// ```
public protocol Entity: Sendable {
  /// The type of the primary key, which identifies a row.
  associatedtype PrimaryKey: EntityKey
  /// The attributes and relationships that criteria may name.
  associatedtype Fields: EntityFields

  /// The description of the entity.
  static var entityDescription: EntityDescription { get }

  /// The row's key; nil where the store has yet to generate it.
  var primaryKey: PrimaryKey? { get }

  /// Reads the attributes in the description's order. Keys and references must keep the stored value: if one is read as another value,
  /// prefetched rows may belong to either.
  init(row: inout RowReader) throws

  /// Writes the attributes in the description's order.
  func write(to row: inout ColumnWriter) throws

  /// Runs a statement for each entity, with its values, and gives each its key. The default is right for all; it is a requirement for the
  /// same reason as ``read(_:upTo:into:)``.
  static func writeAll(_ entities: inout [Self], to rows: inout RowWriter) throws

  /// Takes the key that the store generated. Entities whose keys are assigned have nothing to do.
  mutating func setGeneratedKey(_ key: Int64)

  /// Counts the version on after the store has changed the row: `version = version.nextVersion`. Entities without a version have nothing to
  /// do. One that has a version and does not raise it is not written: ``DAOError/invalidDescription(entity:problems:)``.
  mutating func raiseVersion()

  /// Reads the rows that a statement yields next, `count` at most; fewer are the last. If one can't be read, those before it have been
  /// appended. The default is right for all; it is a requirement so that the loop is compiled for the entity, in the entity's own module.
  static func read(_ rows: inout RowCursor, upTo count: Int, into found: inout [Self]) throws

  /// Takes the rows of relationships that a query prefetches: one line for each relationship. Those that the criteria do not ask for
  /// cost nothing. Entities without relationships have nothing to do.
  ///
  /// ```swift
  /// static func prefetch(_ rows: inout Prefetching<Zone>) throws {
  ///   try rows.fetch("country", into: \.country)              // var country: Reference<Country>?
  ///   try rows.fetch("transitions", into: \.transitions)      // var transitions: Many<Transition>
  /// }
  /// ```
  ///
  /// A reference is read and written as the attribute that it is; `row.next(at: "zone.country")` makes its errors name it. A `Many` has no
  /// column: `init(row:)` fills it with `row.next(at: "zone.transitions")`.
  static func prefetch(_ rows: inout Prefetching<Self>) throws
}

extension Identifiable where Self: Entity {
  /// The key, for entities whose key has another name: nil before it was generated.
  public var id: PrimaryKey? { primaryKey }
}

extension Entity {
  /// Does nothing.
  public mutating func setGeneratedKey(_ key: Int64) {}

  /// Does nothing.
  public mutating func raiseVersion() {}

  /// Has no place for any row.
  public static func prefetch(_ rows: inout Prefetching<Self>) throws {}

  /// Runs the statement entity by entity.
  @inlinable
  public static func writeAll(_ entities: inout [Self], to rows: inout RowWriter) throws {
    for index in entities.indices {
      try entities[index].write(to: &rows.columns)
      if let key = try rows.run() { entities[index].setGeneratedKey(key) }
    }
  }

  /// Reads row by row.
  @inlinable
  public static func read(_ rows: inout RowCursor, upTo count: Int, into found: inout [Self]) throws {
    // A batch is mostly full; how many rows there are in all, nobody knows.
    if count <= 4_096 { found.reserveCapacity(found.count + count) }
    var missing = count
    while missing > 0, try rows.advance() {
      found.append(try Self(row: &rows.row))
      missing -= 1
    }
  }
}
