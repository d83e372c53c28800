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
  /// The number of the super-entity; nil where it has none.
  let superNumber: Int64?

  /// The table of its rows.
  var table: String { description.table }

  /// The column of a name, without regard to case; nil where there is none.
  func column(_ name: String) -> Attribute? {
    let name = name.lowercased()
    return description.attributes.first { $0.name == name }
  }

  /// Whether a column belongs to the layout, and to no attribute of the model: `Z_PK`, `Z_ENT`, `Z_OPT`, positions (`Z_FOK_FOLDER`), and
  /// the numbers of the entities that references lead to (`Z9_FOLDER`).
  static func isOfLayout(_ column: String) -> Bool {
    let column = column.lowercased()
    return ["z_pk", "z_ent", "z_opt"].contains(column) || isPosition(column) || isEntityNumber(column)
  }

  /// Whether a column has positions in an ordered relationship.
  static func isPosition(_ column: String) -> Bool { column.lowercased().hasPrefix("z_fok_") }

  /// Whether a column has the number of the entity that a reference leads to. Names of attributes do not begin with a digit.
  static func isEntityNumber(_ column: String) -> Bool {
    let column = column.lowercased()
    guard column.hasPrefix("z") else { return false }
    let digits = column.dropFirst().prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && column.dropFirst(1 + digits.count).hasPrefix("_")
  }

  /// The columns that have the same name as a column, and a number behind it: Core Data numbers the attributes of sub-entities that have
  /// one name, `ZNAME` and `ZNAME1`.
  func namesakes(of name: String) -> [Attribute] {
    let name = name.lowercased()
    return description.attributes.filter { attribute in
      let digits = attribute.name.dropFirst(name.count)
      return attribute.name.hasPrefix(name) && !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        && !Self.isOfLayout(attribute.column)
    }
  }

  /// The name of the attribute that a column has: without the Z that Core Data puts before it.
  static func name(of column: String) -> String {
    let column = column.lowercased()
    guard column.hasPrefix("z"), !isOfLayout(column), column.count > 1 else { return column }
    let name = String(column.dropFirst())
    return isOfLayout(name) ? column : name
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
