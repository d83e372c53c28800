import SwiftSyntax

/// An entity as its struct declares it. Expressions are kept as the text that was written.
struct EntityModel {
  /// How rows are identified.
  enum Key {
    case generated(AttributeModel)
    case assigned(AttributeModel)
    case composite([AttributeModel])
  }

  let name: String
  /// The name in errors: the one that was written where that is a literal, else the type's.
  let plainName: String
  let table: String?
  let source: String?
  let key: Key
  /// The properties that are filled when a row is read, in source order.
  let properties: [PropertyModel]
  let indexes: [String]
  let renamedFrom: String?
  /// `public `, `package ` or nothing.
  let access: String
  /// Names of types that stand in the way of the library's own of the same name.
  let shadowingNames: Set<String>
  /// Whether the struct has the initialiser over all properties that the compiler writes.
  let hasMemberwiseInit: Bool

  var attributes: [AttributeModel] { properties.compactMap(\.attribute) }
}

/// One stored property that a row keeps.
struct AttributeModel: NamedModel {
  let identifier: TokenSyntax
  let access: String
  let declaration: VariableDeclSyntax
  let type: WrittenType
  let initialValue: ExprSyntax?
  let isID: Bool
  var column: LabeledExprSyntax?
  var storage: String?
  var reference: String?
  var isSearchable = false
  var isVersion = false
  var isGenerated = false
  var isIdentity = false
  var mapping: String?
  var renamedFrom: [String] = []
  var toOne: ToOneModel?
}
