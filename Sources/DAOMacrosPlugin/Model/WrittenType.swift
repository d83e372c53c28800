import SwiftSyntax

/// A property's type as written: the facts that need no type checker.
struct WrittenType {
  /// The types whose stored form is known by their name.
  enum Family {
    case integer, real, bool, text, url, data, uuid, date, decimal, array, dictionary

    /// The attribute's type, in code; nil where what the type holds decides.
    var attributeType: String? {
      switch self {
      case .integer: ".integer"
      case .real: ".real"
      case .bool: ".bool"
      case .text, .url: ".text"
      case .data: ".data"
      case .uuid: ".uuid(.blob)"
      case .date: ".date(.iso8601)"
      case .decimal: ".decimal(.text)"
      case .array, .dictionary: nil
      }
    }
  }

  /// As written.
  let syntax: TypeSyntax
  /// Without the optional.
  let base: TypeSyntax
  /// Whether the optional is written out.
  let isOptional: Bool
  /// nil for types of the person's own.
  let family: Family?

  init(_ syntax: TypeSyntax) {
    self.syntax = syntax
    let inner = Self.unwrapped(syntax)
    base = inner ?? Self.withoutParentheses(syntax)
    isOptional = inner != nil
    family = Self.family(base)
  }

  /// The type in code; `T!` can't be an argument of another type, so it is `T?`.
  var text: String { syntax.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) ? "\(baseText)?" : syntax.trimmedDescription }

  /// The base in code.
  var baseText: String { base.trimmedDescription }

  /// The base's name, without the module in front of a standard one.
  var baseName: String { Self.plainName(base) ?? baseText }

  /// The type in angle brackets, where this is a generic type of the library: `Country` of a `Reference<Country>?`.
  func argument(of generic: String) -> String? {
    let name =
      base.as(IdentifierTypeSyntax.self)?.name.text
      ?? base.as(MemberTypeSyntax.self).flatMap { type in
        ["DAOCriteria", "DAOKit", "DAOMacros"].contains(type.baseType.trimmedDescription) ? type.name.text : nil
      }
    guard name == generic, let arguments = Self.genericArguments(base), arguments.count == 1 else { return nil }
    return arguments.first?.argument.trimmedDescription
  }

  /// The types of the person's own that an array or dictionary holds, however deep, in code: `Address.self` of `[String: [Address]]`.
  var heldTypes: [String] {
    [.array, .dictionary].contains(family) ? Self.parts(of: base).flatMap(Self.ownTypes) : []
  }

  /// Why no attribute can have this type, where that is plain from its form.
  var obstacle: String? {
    if Self.unwrapped(base) != nil { return "has two kinds of nil; a column has one null" }
    return switch base.kind {
    case .tupleType: "is a tuple"
    case .functionType: "is a function"
    case .someOrAnyType, .compositionType: "is an existential or opaque type"
    case .metatypeType: "is a metatype"
    case .attributedType: base.as(AttributedTypeSyntax.self)?.baseType.is(FunctionTypeSyntax.self) == true ? "is a function" : nil
    case .identifierType where ["Any", "AnyObject"].contains(base.trimmedDescription): "is an existential or opaque type"
    default: nil
    }
  }

  /// The type inside `T?`, `T!` or `Optional<T>`.
  private static func unwrapped(_ type: TypeSyntax) -> TypeSyntax? {
    let type = withoutParentheses(type)
    if let optional = type.as(OptionalTypeSyntax.self) { return withoutParentheses(optional.wrappedType) }
    if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return withoutParentheses(optional.wrappedType) }
    guard plainName(type) == "Optional", let argument = genericArguments(type)?.first?.argument.as(TypeSyntax.self) else { return nil }
    return withoutParentheses(argument)
  }

  private static func ownTypes(in type: TypeSyntax) -> [String] {
    let type = unwrapped(type) ?? withoutParentheses(type)
    return switch family(type) {
    case .array, .dictionary: parts(of: type).flatMap(ownTypes)
    // Other types than these need parentheses before `.self`.
    case nil: [[.identifierType, .memberType, .tupleType].contains(type.kind) ? "\(type.trimmed).self" : "(\(type.trimmed)).self"]
    default: []
    }
  }

  /// The types of an array's elements, or of a dictionary's keys and values.
  private static func parts(of type: TypeSyntax) -> [TypeSyntax] {
    if let array = type.as(ArrayTypeSyntax.self) { return [array.element] }
    if let dictionary = type.as(DictionaryTypeSyntax.self) { return [dictionary.key, dictionary.value] }
    return genericArguments(type)?.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
  }

  private static func withoutParentheses(_ type: TypeSyntax) -> TypeSyntax {
    guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first, only.firstName == nil
    else {
      return type
    }
    return withoutParentheses(only.type)
  }

  private static func family(_ type: TypeSyntax) -> Family? {
    if type.is(ArrayTypeSyntax.self) { return .array }
    if type.is(DictionaryTypeSyntax.self) { return .dictionary }
    return switch plainName(type) {
    case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64": .integer
    case "Double", "Float": .real
    case "Bool": .bool
    case "String": .text
    case "URL": .url
    case "Data": .data
    case "UUID": .uuid
    case "Date": .date
    case "Decimal": .decimal
    case "Array" where genericArguments(type) != nil: .array
    case "Dictionary" where genericArguments(type) != nil: .dictionary
    default: nil
    }
  }

  /// `Int` for `Int` and `Swift.Int`; nil for members of other types.
  private static func plainName(_ type: TypeSyntax) -> String? {
    if let type = type.as(IdentifierTypeSyntax.self) { return type.name.text }
    guard let member = type.as(MemberTypeSyntax.self), ["Swift", "Foundation"].contains(member.baseType.trimmedDescription) else {
      return nil
    }
    return member.name.text
  }

  private static func genericArguments(_ type: TypeSyntax) -> GenericArgumentListSyntax? {
    type.as(IdentifierTypeSyntax.self)?.genericArgumentClause?.arguments ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause?.arguments
  }
}
