import SwiftSyntax

extension AttributeModel {
  /// The schema's default as an expression of `Scalar`: the initial value where it is a literal whose stored form is known. A generated
  /// column has none.
  var defaultValue: String? {
    guard !isGenerated, let initialValue, let family = type.family else { return nil }
    switch (family, Literal(initialValue)) {
    case (.integer, .integer(let text)), (.real, .integer(let text)), (.real, .float(let text)), (.decimal, .integer(let text)),
      (.bool, .bool(let text)), (.text, .string(let text)):
      return text
    case (.decimal, .float(let text)): return ".decimal(\(text))"
    case (.array, .emptyArray): return #""[]""#
    case (.dictionary, .emptyDictionary): return #""{}""#
    default: return nil
    }
  }
}

/// An expression whose value is written out.
enum Literal {
  case integer(String)
  case float(String)
  case bool(String)
  case string(String)
  case emptyArray
  case emptyDictionary

  init?(_ expression: ExprSyntax) {
    let text = expression.trimmedDescription
    if let negated = expression.as(PrefixOperatorExprSyntax.self) {
      guard negated.operator.text == "-" else { return nil }
      switch Literal(negated.expression) {
      case .integer: self = .integer(text)
      case .float: self = .float(text)
      default: return nil
      }
    } else if expression.is(IntegerLiteralExprSyntax.self) {
      self = .integer(text)
    } else if expression.is(FloatLiteralExprSyntax.self) {
      self = .float(text)
    } else if expression.is(BooleanLiteralExprSyntax.self) {
      self = .bool(text)
    } else if let string = expression.as(StringLiteralExprSyntax.self), let value = string.representedLiteralValue {
      // One line, whatever it was written on.
      self = .string(literal(value))
    } else if expression.as(ArrayExprSyntax.self)?.elements.isEmpty == true {
      self = .emptyArray
    } else if let dictionary = expression.as(DictionaryExprSyntax.self), case .colon = dictionary.content {
      self = .emptyDictionary
    } else {
      return nil
    }
  }

  /// The type that a property without one takes from this value.
  var typeName: String? {
    switch self {
    case .integer: "Int"
    case .float: "Double"
    case .bool: "Bool"
    case .string: "String"
    case .emptyArray, .emptyDictionary: nil
    }
  }
}

/// The string literal for a text.
func literal(_ text: String) -> String { StringLiteralExprSyntax(content: text).description }
