import SwiftDiagnostics
import SwiftSyntax

extension EntityReader {
  /// The mark of a to-many relationship on a property, if it has one.
  func toManyMark(_ variable: VariableDeclSyntax) -> AttributeSyntax? {
    variable.attributes.first(named: "ToMany") ?? variable.attributes.first(named: "ManyToMany")
  }

  // MARK: To one

  /// Reads the arguments of `@ToOne` for an attribute; nil where it has none.
  mutating func readToOne(_ attribute: AttributeModel, _ options: PropertyOptions) -> ToOneModel? {
    let type = attribute.type
    let target = type.argument(of: "Reference")
    guard let mark = attribute.declaration.attributes.first(named: "ToOne") else {
      if target != nil {
        findings.report(
          "'\(attribute.name)' refers to another entity; @ToOne makes a relationship of it", at: type.syntax,
          fixIt: .insert("@ToOne ", before: attribute.declaration, "add '@ToOne'"))
      } else if let rows = type.argument(of: "Many") {
        findings.report(
          "'\(attribute.name)' doesn't say which rows are its own: @ToMany(\\\(rows).…), or @ManyToMany where pairs are between",
          at: type.syntax)
      }
      return nil
    }
    guard let target else {
      let isPlain = type.family == nil && type.base.as(IdentifierTypeSyntax.self)?.genericArgumentClause == nil
      let right = "Reference<\(type.baseText)>\(type.isOptional ? "?" : "")"
      findings.report(
        "@ToOne keeps a Reference; '\(attribute.name)' is \(type.text)", at: type.syntax,
        fixIt: isPlain ? .replace(type.syntax, with: right, "change the type to '\(right)'") : nil)
      return nil
    }
    checkVariable(attribute.declaration, attribute.name)
    if let reference = options.reference {
      findings.report(
        "a @ToOne references the key of \(target) already", at: reference.argument.expression,
        fixIt: .remove(
          reference.argument, of: reference.attribute, "remove '\(reference.argument.expression.trimmedDescription)'"))
    }
    if let mapping = options.mapping {
      findings.report(
        "records hold the other row: @ToOne(mapping: \(mapping.text))", at: mapping.argument.expression,
        fixIt: .remove(mapping.argument, of: mapping.attribute, "remove '\(mapping.argument.expression.trimmedDescription)'"))
    }
    let rule = mark.argument(named: "onDelete")
    if let rule { checkNullify(rule, fits: attribute) }
    return ToOneModel(
      target: target, onDelete: rule?.trimmedDescription, declared: mark.argument(named: "declared")?.trimmedDescription,
      mapping: mark.argument(named: "mapping")?.trimmedDescription)
  }

  // MARK: To many

  /// The relationship of a property that is marked with `@ToMany` or `@ManyToMany`.
  mutating func readMany(
    _ identifier: TokenSyntax, _ type: WrittenType, in variable: VariableDeclSyntax, _ mark: AttributeSyntax, access: String
  ) -> ManyModel? {
    for name in ["ID", "Attribute", "ToOne"] + (mark.isNamed("ToMany") ? ["ManyToMany"] : []) {
      for other in variable.attributes.all(named: name) {
        findings.report(
          "\(mark.text) has no column, so @\(name) says nothing", at: other,
          fixIt: .remove(other, "remove '\(other.trimmedDescription)'"))
      }
    }
    checkVariable(variable, identifier.text)
    guard let target = type.argument(of: "Many") else {
      let element = type.base.as(ArrayTypeSyntax.self)?.element
      let right = element.map { "Many<\($0.trimmedDescription)>" }
      findings.report(
        "\(mark.text) fills a Many; '\(identifier.text)' is \(type.text)", at: type.syntax,
        fixIt: right.map { .replace(type.syntax, with: $0, "change the type to '\($0)'") })
      return nil
    }
    if type.isOptional {
      findings.report(
        "'\(identifier.text)' is there whether its rows are fetched or not, so it is not optional", at: type.syntax,
        fixIt: .replace(type.syntax, with: type.baseText, "change the type to '\(type.baseText)'"))
    }
    guard let paths = readKeyPaths(mark) else { return nil }
    let isToMany = mark.isNamed("ToMany")
    guard let first = paths.first else {
      findings.report("which attribute of \(target) has the key of this entity? @ToMany(\\\(target).…)", at: mark)
      return nil
    }
    for path in paths.dropFirst() where path.entity != first.entity {
      findings.report("the attributes are of one entity; this is of \(path.entity), and not of \(first.entity)", at: path.syntax)
    }
    if isToMany, !Self.isSame(first.entity, target) {
      let right = "Many<\(first.entity)>"
      findings.report(
        "'\(first.syntax.trimmedDescription)' is of \(first.entity), and '\(identifier.text)' holds \(type.baseText)", at: first.syntax,
        fixIt: .replace(type.syntax, with: right, "change the type to '\(right)'"))
    }
    let by = isToMany ? paths : Array(paths.prefix(1))
    var arguments = isToMany ? [] : ["through: \(first.entity).entityDescription"]
    arguments.append("by: " + by.map { literal($0.name) }.joined(separator: ", "))
    arguments += paths.dropFirst(by.count).map { "to: \(literal($0.name))" }
    if let renamedFrom = mark.argument(named: "renamedFrom") { arguments.append("renamedFrom: \(renamedFrom.trimmedDescription)") }
    if let mapping = mark.argument(named: "mapping") { arguments.append("mapping: \(mapping.trimmedDescription)") }
    return ManyModel(
      identifier: identifier, access: access, target: target, arguments: arguments.joined(separator: ", "),
      kind: isToMany ? "toMany" : "manyToMany")
  }

  /// One attribute of another entity, as `\Transition.zone` names it.
  private struct WrittenKeyPath {
    let syntax: ExprSyntax
    let entity: String
    let name: String
  }

  /// The key paths in a mark's arguments; nil where one of them is not written out.
  private mutating func readKeyPaths(_ mark: AttributeSyntax) -> [WrittenKeyPath]? {
    var paths: [WrittenKeyPath] = []
    for argument in mark.arguments?.as(LabeledExprListSyntax.self) ?? [] where !["renamedFrom", "mapping"].contains(argument.label?.text) {
      let path = argument.expression.as(KeyPathExprSyntax.self)
      let names = path?.components.map { $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName } ?? []
      guard let root = path?.root, let last = names.last, let last, !names.contains(where: { $0 == nil }) else {
        findings.report(
          "@Entity reads the key path from the source; write it out with its entity, like '\\Transition.zone'", at: argument.expression)
        return nil
      }
      // The parser takes the first name alone for the type.
      let entity = ([root.trimmedDescription] + names.dropLast().map { $0?.text ?? "" }).joined(separator: ".")
      paths.append(WrittenKeyPath(syntax: argument.expression, entity: entity, name: last.identifier?.name ?? last.text))
    }
    return paths
  }

  // MARK: Both

  private mutating func checkVariable(_ variable: VariableDeclSyntax, _ name: String) {
    guard variable.bindingSpecifier.text == "let" else { return }
    findings.report(
      "'\(name)' takes rows that are fetched, so it can't be a constant", at: variable.bindingSpecifier,
      fixIt: .replace(variable.bindingSpecifier, with: "var", "change 'let' to 'var'"))
  }

  /// Whether two names are of the same type, as far as the source shows: one of them may have its module or enclosing type in front.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || one.hasSuffix(".\(other)") || other.hasSuffix(".\(one)")
  }
}

extension AttributeSyntax {
  fileprivate func isNamed(_ name: String) -> Bool { [name, "DAOMacros.\(name)"].contains(attributeName.trimmedDescription) }

  fileprivate func argument(named label: String) -> ExprSyntax? {
    arguments?.as(LabeledExprListSyntax.self)?.first { $0.label?.text == label }?.expression
  }

  /// The mark without its arguments.
  fileprivate var text: String { "@\(attributeName.trimmedDescription)" }
}
