import DAOKit

/// The progress of an import that was given a name, as the store has it: ``ImportOptions/mark``. A factory that has it among its entities
/// goes on with interrupted imports.
///
/// It is written with each batch, in the batch's transaction, and deleted with the last.
public struct ImportMark: Entity, Hashable {
  /// The name of the import.
  public let name: String
  /// How many records of the feed are stored, or refused: those before the first that names a row that is not there yet.
  public let records: Int64

  init(_ name: String, records: Int) {
    self.name = name
    self.records = Int64(records)
  }

  /// The description of the entity.
  public static let entityDescription = EntityDescription(
    "importMark", table: "import_mark", key: .assigned(["name"]), attributes: [Attribute("name", .text), Attribute("records", .integer)])

  /// The attributes that criteria may name.
  public struct Fields: EntityFields {
    private let path: FieldPath
    /// The fields that are reached by `path`.
    public init(path: FieldPath) { self.path = path }
    /// The name of the import.
    public var name: Field<String> { path.field("name") }
    /// How many records of the feed are stored, or refused.
    public var records: Field<Int64> { path.field("records") }
  }

  /// The name.
  public var primaryKey: String? { name }

  /// Reads both attributes.
  public init(row: inout RowReader) throws {
    name = try row.next()
    records = try row.next()
  }

  /// Writes both attributes.
  public func write(to row: inout ColumnWriter) throws {
    try row.write(name)
    try row.write(records)
  }
}
