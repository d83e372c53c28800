import DAOKit

/// The progress of an import that was given a name, as the store has it: ``ImportOptions/mark``. A factory that has it among its entities
/// goes on with interrupted imports.
///
/// An import has a row with how many records are stored, and one for each link to a row that is not there yet. They are written with each
/// batch, in the batch's transaction, and deleted with the last. The mark of a Core Data store that was imported once stays.
public struct ImportMark: Entity, Hashable {
  /// The name of the import.
  public let name: String
  /// The place of the link: the number of its record, the JSON pointer and the relationship. Empty for the import itself, `"Core Data"` for
  /// that of a Core Data store.
  public let link: String
  /// How many records of the feed are stored, or refused; of a link, how many stand before its own.
  public let records: Int64
  /// What the link joins, as JSON; nil for an import.
  public let waiting: String?

  init(_ name: String, records: Int) { self.init(name, link: "", records: records, waiting: nil) }

  /// The mark of a Core Data store that has been imported.
  init(ofMove name: String, records: Int) { self.init(name, link: Self.linkOfMove, records: records, waiting: nil) }

  static let linkOfMove = "Core Data"

  init(_ name: String, link: String, records: Int, waiting: String?) {
    self.name = name
    self.link = link
    self.records = Int64(records)
    self.waiting = waiting
  }

  /// The error that a feed and a Core Data store have the same name.
  static func isTaken(_ name: String) -> DAOError {
    .misuse("'\(name)' for the import of a feed and of a Core Data store", use: "another name for one of them")
  }

  /// The description of the entity.
  public static let entityDescription = EntityDescription(
    "importMark", table: "import_mark", key: .assigned(["name", "link"]),
    attributes: [
      Attribute("name", .text), Attribute("link", .text), Attribute("records", .integer), Attribute("waiting", .text, optional: true),
    ])

  /// The attributes that criteria may name.
  public struct Fields: EntityFields {
    private let path: FieldPath
    /// The fields that are reached by `path`.
    public init(path: FieldPath) { self.path = path }
    /// The name of the import.
    public var name: Field<String> { path.field("name") }
    /// The place of the link; empty for the import itself.
    public var link: Field<String> { path.field("link") }
    /// How many records of the feed are stored, or refused; of a link, how many stand before its own.
    public var records: Field<Int64> { path.field("records") }
    /// What the link joins, as JSON; nil for an import.
    public var waiting: Field<String?> { path.field("waiting") }
  }

  /// The name and the place of the link.
  public struct PrimaryKey: EntityKey {
    /// The name of the import.
    public let name: String
    /// The place of the link; empty for the import itself.
    public let link: String

    /// The key of an import: `PrimaryKey("catalogue 7")`.
    public init(_ name: String, link: String = "") {
      self.name = name
      self.link = link
    }

    /// The key of the mark of a Core Data store that has been imported.
    static func ofMove(_ name: String) -> Self { Self(name, link: ImportMark.linkOfMove) }

    /// Reads the attributes.
    public init(row: inout RowReader) throws {
      name = try row.next()
      link = try row.next()
    }

    /// Writes the attributes.
    public func write(to row: inout ColumnWriter) throws {
      try row.write(name)
      try row.write(link)
    }
  }

  /// The name and the place of the link.
  public var primaryKey: PrimaryKey? { PrimaryKey(name, link: link) }

  /// Reads the attributes.
  public init(row: inout RowReader) throws {
    name = try row.next()
    link = try row.next()
    records = try row.next()
    waiting = try row.next()
  }

  /// Writes the attributes.
  public func write(to row: inout ColumnWriter) throws {
    try row.write(name)
    try row.write(link)
    try row.write(records)
    try row.write(waiting)
  }
}
