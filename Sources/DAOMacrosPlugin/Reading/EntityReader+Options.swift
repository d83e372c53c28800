import SwiftDiagnostics
import SwiftSyntax

extension EntityReader {
  /// The options of all `@Attribute`s on a property. A name that is no option is left to the compiler.
  mutating func readOptions(_ variable: VariableDeclSyntax) -> PropertyOptions {
    var options = PropertyOptions()
    for attribute in variable.attributes.all(named: "Attribute") {
      guard case .argumentList(let arguments)? = attribute.arguments else { continue }
      for argument in arguments { read(argument, of: attribute, into: &options) }
    }
    return options
  }

  private mutating func read(_ argument: LabeledExprSyntax, of attribute: AttributeSyntax, into options: inout PropertyOptions) {
    let call = argument.expression.as(FunctionCallExprSyntax.self)
    guard let option = (call?.calledExpression ?? argument.expression).as(MemberAccessExprSyntax.self)?.declName.baseName.text else {
      findings.report("@Entity reads the options from the source; write this one out, like '.unique'", at: argument.expression)
      return
    }
    switch option {
    case "column":
      if options.column != nil { repeated(argument, of: attribute, "an attribute has one column") }
      options.column = call?.arguments.first
    case "unique", "indexed":
      if options.index != nil { repeated(argument, of: attribute, "an attribute has one index; a unique one finds rows too") }
      options.index = options.index ?? .init(argument: argument, attribute: attribute, isUnique: option == "unique")
    case "searchable": options.searchable = .init(argument: argument, attribute: attribute)
    case "version": options.version = .init(argument: argument, attribute: attribute)
    case "generated": options.generated = .init(argument: argument, attribute: attribute)
    case "identity": options.isIdentity = true
    case "mapped":
      if options.mapping != nil { repeated(argument, of: attribute, "an attribute has one mapping, with all its paths in a list") }
      options.mapping =
        options.mapping
        ?? call?.arguments.first.map { .init(argument: argument, attribute: attribute, text: $0.expression.trimmedDescription) }
    case "renamedFrom": options.renamedFrom += call?.arguments.map(\.expression.trimmedDescription) ?? []
    case "references":
      if options.reference != nil { repeated(argument, of: attribute, "an attribute references one column") }
      options.reference = call.flatMap { reference($0.arguments, argument, of: attribute) }
    default:
      guard let storage = PropertyOptions.storage(option, call?.arguments) else { return }
      if options.storage != nil { repeated(argument, of: attribute, "an attribute is stored in one form") }
      if storage.family == .decimal, let digits = call?.arguments.first?.expression { checkDigits(digits) }
      options.storage = .init(argument: argument, attribute: attribute, name: option, family: storage.family, type: storage.type)
    }
  }

  private func reference(
    _ arguments: LabeledExprListSyntax, _ argument: LabeledExprSyntax, of attribute: AttributeSyntax
  ) -> PropertyOptions.Reference? {
    let names = arguments.filter { $0.label == nil }.map(\.expression.trimmedDescription)
    guard names.count == 2 else { return nil }
    let rule = arguments.first { $0.label?.text == "onDelete" }?.expression
    let onDelete = rule.map { ", onDelete: \($0.trimmedDescription)" } ?? ""
    return .init(
      argument: argument, attribute: attribute, text: "(table: \(names[0]), column: \(names[1])\(onDelete))", deleteRule: rule)
  }

  /// Reports options that the type of a property rules out. Types of the person's own are left to the compiler and the store.
  mutating func check(_ options: PropertyOptions, fit attribute: AttributeModel) {
    if let mark = options.version { check(mark, versionOf: attribute) }
    if let mark = options.generated { check(mark, generated: attribute, options) }
    guard let family = attribute.type.family else { return }
    // A URL is kept as text is.
    if let storage = options.storage, storage.family != (family == .url ? .text : family) {
      let stored =
        switch storage.family {
        case .date: "Date"
        case .uuid: "UUID"
        case .bool: "Bool"
        case .text: "String"
        default: "Decimal"
        }
      findings.report(
        "'.\(storage.name)' is a form of \(stored); '\(attribute.name)' is \(attribute.type.text)", at: storage.argument.expression,
        fixIt: .remove(storage.argument, of: storage.attribute, "remove '.\(storage.name)'"))
    }
    if let mark = options.searchable, family != .text, family != .url {
      findings.report(
        "only text has words to search for; '\(attribute.name)' is \(attribute.type.text)", at: mark.argument.expression,
        fixIt: .remove(mark.argument, of: mark.attribute, "remove '.searchable'"))
    }
    if let rule = options.reference?.deleteRule { checkNullify(rule, fits: attribute) }
  }

  /// Reports a version that can't count on.
  private mutating func check(_ mark: PropertyOptions.Mark, versionOf attribute: AttributeModel) {
    let problem =
      if attribute.isID {
        "a key stays the same; a version changes with its row"
      } else if !["Int", "Int64"].contains(attribute.type.text) {
        "a version is an Int or an Int64; '\(attribute.name)' is \(attribute.type.text)"
      } else if attribute.declaration.bindingSpecifier.text == "let" {
        "a version changes with its row; '\(attribute.name)' is a constant"
      } else {
        nil as String?
      }
    if let problem {
      findings.report(
        problem, at: mark.argument.expression, fixIt: .remove(mark.argument, of: mark.attribute, "remove '.version'"))
    }
  }

  /// Reports a generated column that would have to be written.
  private mutating func check(_ mark: PropertyOptions.Mark, generated attribute: AttributeModel, _ options: PropertyOptions) {
    let problem: String? =
      if isView {
        "nothing of a view is written, so no column of it is generated"
      } else if attribute.isID {
        "the store computes a generated column from the others; a key can't be one"
      } else if attribute.declaration.attributes.first(named: "ToOne") != nil {
        "a @ToOne is written with its row, and nothing writes a generated column"
      } else if options.version != nil {
        "a version is written with its row, and nothing writes a generated column"
      } else if options.searchable != nil {
        "the words of a generated column can't be searched"
      } else if options.isIdentity {
        "records are found by what they have, and the store computes a generated column"
      } else {
        nil
      }
    if let problem {
      findings.report(
        problem, at: mark.argument.expression, fixIt: .remove(mark.argument, of: mark.attribute, "remove '.generated'"))
    }
  }

  /// Reports a delete rule that would put null into an attribute that is not optional.
  mutating func checkNullify(_ rule: ExprSyntax, fits attribute: AttributeModel) {
    guard rule.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "nullify", !attribute.type.isOptional else { return }
    findings.report(
      "a delete can't set '\(attribute.name)' to null: it is not optional", at: rule,
      fixIt: .insert("?", after: attribute.type.syntax, "make '\(attribute.name)' optional"))
  }

  private mutating func checkDigits(_ expression: ExprSyntax) {
    guard case .integer(let text)? = Literal(expression), let digits = Int(text), !(0...18 ~= digits) else { return }
    findings.report("a decimal has 0 to 18 digits after the point", at: expression)
  }

  private mutating func repeated(_ argument: LabeledExprSyntax, of attribute: AttributeSyntax, _ message: String) {
    let text = argument.expression.trimmedDescription
    findings.report(message, at: argument.expression, fixIt: .remove(argument, of: attribute, "remove '\(text)'"))
  }
}
