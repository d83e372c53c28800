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
  let table: String?
  let source: String?
  let key: Key
  let attributes: [AttributeModel]
  let indexes: [String]
  let renamedFrom: String?
  /// `public `, `package ` or nothing.
  let access: String
  /// Names of types that stand in the way of the library's own of the same name.
  let shadowingNames: Set<String>
  /// Whether the struct has the initialiser over all properties that the compiler writes.
  let hasMemberwiseInit: Bool
}

/// One stored property that a row keeps.
struct AttributeModel {
  /// The property's name as written, with backticks where it has them.
  let identifier: TokenSyntax
  /// `public `, `package `, `fileprivate ` or nothing.
  let access: String
  let declaration: VariableDeclSyntax
  let type: WrittenType
  let initialValue: ExprSyntax?
  let isID: Bool
  var column: LabeledExprSyntax?
  var storage: String?
  var reference: String?
  var renamedFrom: [String] = []

  /// The name without backticks.
  var name: String { identifier.identifier?.name ?? identifier.text }

  /// The name as the label of an argument, where most keywords need no backticks and the compiler warns of them.
  var label: String {
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
    return isWord && !["inout", "let", "var"].contains(name) ? name : identifier.text
  }
}
