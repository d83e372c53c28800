import DAOKit

/// A mapping of a Core Data entity's rows to rows of a store, for
/// ``CoreDataStore/import(into:_:once:droppingBrokenLinks:problems:)``.
///
/// ```swift
/// var notes = ImportMapping<Note>()
/// notes[\.text] = "body"                                    // Note.text has the values of CDNote.body
/// notes[related: "folder"] = "parent"                       // and Note.folder the row of CDNote.parent
/// notes.instead(\.colour) { record in try Colour(archive: record["colour"]?.data) }
///
/// CoreDataMapping.entity(
///   Note.self, from: "CDNote", notes, data: ["photo": .external, "colour": .plain], orders: ["tags": "position"])
/// ```
///
/// Attributes and relationships are those of the same name, without regard to case; the mapping names others. Of a list of columns, the
/// first that is not null is read, for references too; of a list of tables of pairs, all. A column that has the name of a reference's
/// attribute alone is a reference where Core Data's index says so (`ZNOTE_ZFOLDERID_INDEX`).
///
/// The mapping's hooks are called as for any import; one of a relationship is refused, and `identity` is not used. A record has the
/// columns by their names in lower case, without the Z before them: dates as seconds since 1970, data as Base64
/// (``ImportValue/data``), `z_pk`, and the name of the row's entity as `z_ent`. The hook `instead` of an attribute also gets a value that
/// is not of its column's type. The mapping that the entity declares is for feeds, and is not used.
public struct CoreDataMapping: Sendable {
  /// The form in which a column has data.
  public enum DataForm: Sendable, Hashable {
    /// The bytes as they are.
    case plain
    /// The attribute allows external storage: a byte before the data says whether they follow, or are in a file.
    case external
  }

  let entity: EntityDescription
  let source: String
  let mapping: any IncludedMapping
  let data: [String: DataForm]
  let orders: [String: String]

  /// The rows of a Core Data entity, and of those sub-entities that no other mapping names, become rows of an entity.
  /// - Parameters:
  ///   - type: the entity of the new rows.
  ///   - source: the name of the Core Data entity; that of the entity, without regard to case, where it is nil.
  ///   - mapping: the attributes and relationships that have other names, and hooks.
  ///   - data: the form of data, by the name of the column: of each column of data that an attribute reads, except UUIDs.
  ///   - orders: for an ordered relationship, the attribute that takes the positions: of the rows there or, where pairs are between, of
  ///     the pairs. The other side's relationship may have another one. Positions are numbers with gaps between them.
  public static func entity<E: Entity>(
    _ type: E.Type, from source: String? = nil, _ mapping: ImportMapping<E> = ImportMapping(), data: [String: DataForm] = [:],
    orders: [String: String] = [:]
  ) -> CoreDataMapping {
    CoreDataMapping(
      entity: E.entityDescription, source: source ?? E.entityDescription.name, mapping: mapping, data: data, orders: orders)
  }

  /// The same for an entity that has no Swift type.
  /// - Parameters: as for ``entity(_:from:_:data:orders:)``.
  public static func entity(
    describedBy entity: EntityDescription, from source: String? = nil, _ mapping: ImportMapping<DynamicEntity> = ImportMapping(),
    data: [String: DataForm] = [:], orders: [String: String] = [:]
  ) -> CoreDataMapping {
    CoreDataMapping(entity: entity, source: source ?? entity.name, mapping: mapping, data: data, orders: orders)
  }
}
