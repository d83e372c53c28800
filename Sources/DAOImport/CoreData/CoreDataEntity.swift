import DAOKit

/// An entity of a Core Data store, as the store has it.
///
/// The store spells names of attributes in capitals (`ZFIRSTNAME`), so they are in lower case here (`firstname`). Only the model knows
/// which attributes an entity has: ``description`` has all columns of its table, which sub-entities share.
public struct CoreDataEntity: Sendable, Hashable {
  /// The name, as the model has it.
  public let name: String
  /// The name of the super-entity; nil where it has none.
  public let superEntity: String?
  /// The description of its rows: `z_pk`, `z_ent`, and an attribute for each column.
  public let description: EntityDescription
  /// The number of the entity in the store.
  let number: Int64

  /// The table of its rows.
  var table: String { description.table }

  /// The column of a name, without regard to case; nil where there is none.
  func column(_ name: String) -> Attribute? {
    let name = name.lowercased()
    return description.attributes.first { $0.name == name }
  }

  /// Whether an attribute is a column of the layout, and none of the model.
  static func isOfLayout(_ attribute: Attribute) -> Bool {
    let column = attribute.column.lowercased()
    return column.hasPrefix("z_") || column.dropFirst().first?.isNumber == true
  }

  /// The name of the attribute that a column has: without the Z that Core Data puts before it.
  static func name(of column: String) -> String {
    let column = column.lowercased()
    guard column.hasPrefix("z"), !column.hasPrefix("z_"), column.count > 1 else { return column }
    let name = String(column.dropFirst())
    return name.hasPrefix("z_") ? column : name
  }

  /// The type of the values in a column that Core Data declares so.
  static func type(declared: String) -> AttributeType {
    switch SchemaName.capitals(declared) {
    case "TIMESTAMP": .date(.unixSeconds)
    case "DECIMAL": .decimal(.text)
    default: AttributeType(declaredName: declared)
    }
  }
}
