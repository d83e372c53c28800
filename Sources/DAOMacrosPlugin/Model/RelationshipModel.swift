import SwiftSyntax

/// A stored property that is filled when an entity is read.
enum PropertyModel {
  case attribute(AttributeModel)
  case many(ManyModel)

  var attribute: AttributeModel? { if case .attribute(let attribute) = self { attribute } else { nil } }
  var named: any NamedModel {
    switch self {
    case .attribute(let attribute): attribute
    case .many(let many): many
    }
  }
}

/// The arguments of `@ToOne` for an attribute.
struct ToOneModel {
  /// The entity that it refers to.
  let target: String
  /// The rule as written.
  let onDelete: String?
  /// What the store knows of it, as written.
  let declared: String?
  /// The mapping as written.
  let mapping: String?
}

/// A property that has no column: the rows of a to-many relationship.
struct ManyModel: NamedModel {
  let identifier: TokenSyntax
  let access: String
  /// The entity of its rows.
  let target: String
  /// The relationship without its name and entity: `by: "zone"`.
  let arguments: String
  /// `toMany` or `manyToMany`.
  let kind: String
}

/// A property by its name.
protocol NamedModel {
  /// The name as written, with backticks where it has them.
  var identifier: TokenSyntax { get }
  /// `public `, `package `, `fileprivate ` or nothing.
  var access: String { get }
}

extension NamedModel {
  /// The name without backticks.
  var name: String { identifier.identifier?.name ?? identifier.text }

  /// The name as the label of an argument, where most keywords need no backticks and the compiler warns of them.
  var label: String {
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
    return isWord && !["inout", "let", "var"].contains(name) ? name : identifier.text
  }
}
