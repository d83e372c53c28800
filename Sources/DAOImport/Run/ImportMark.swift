import DAOKit

/// The progress of an import that was given a name, as the store has it: ``ImportOptions/mark``. A factory that has it among its entities
/// goes on with interrupted imports.
///
/// It is written with each batch, in the batch's transaction, and deleted with the last. The mark of a Core Data store that was imported
/// once stays.
public struct ImportMark: Entity, Hashable {
  /// The name of the import.
  public let name: String
  /// How many records of the feed are stored, or refused.
  public let records: Int64
  /// How many of them stand before the first that names a row which is not there yet. Those behind it are read again, to learn which rows
  /// they name; they are not stored again.
  public let linkedRecords: Int64

  init(_ name: String, records: Int, linkedRecords: Int) {
    self.name = name
    self.records = Int64(records)
    self.linkedRecords = Int64(linkedRecords)
  }

  /// The mark of a Core Data store that has been imported.
  init(ofMove name: String, records: Int) { self.init(name, records: records, linkedRecords: -1) }

  /// Whether it says that a Core Data store has been imported. No feed has fewer than no records.
  var isOfMove: Bool { linkedRecords < 0 }

  /// The error that a feed and a Core Data store have the same name.
  static func isTaken(_ name: String) -> DAOError {
    .misuse("'\(name)' for the import of a feed and of a Core Data store", use: "another name for one of them")
  }

  /// The description of the entity.
  public static let entityDescription = EntityDescription(
    "importMark", table: "import_mark", key: .assigned(["name"]),
    attributes: [Attribute("name", .text), Attribute("records", .integer), Attribute("linkedRecords", .integer)])

  /// The attributes that criteria may name.
  public struct Fields: EntityFields {
    private let path: FieldPath
    /// The fields that are reached by `path`.
    public init(path: FieldPath) { self.path = path }
    /// The name of the import.
    public var name: Field<String> { path.field("name") }
    /// How many records of the feed are stored, or refused.
    public var records: Field<Int64> { path.field("records") }
    /// How many of them stand before the first that names a row which is not there yet.
    public var linkedRecords: Field<Int64> { path.field("linkedRecords") }
  }

  /// The name.
  public var primaryKey: String? { name }

  /// Reads the attributes.
  public init(row: inout RowReader) throws {
    name = try row.next()
    records = try row.next()
    linkedRecords = try row.next()
  }

  /// Writes the attributes.
  public func write(to row: inout ColumnWriter) throws {
    try row.write(name)
    try row.write(records)
    try row.write(linkedRecords)
  }
}
