import SwiftDiagnostics
import SwiftSyntax

extension EntityReader {
  /// A property with what its options ask for beside the attribute itself.
  struct Property {
    let model: PropertyModel
    var index: PropertyOptions.Index?
  }

  /// All stored properties that a row keeps, in the order of the source.
  mutating func readProperties() -> [Property] {
    var properties: [Property] = []
    for member in declaration.memberBlock.members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        properties += readVariable(variable)
      } else if let conditional = member.decl.as(IfConfigDeclSyntax.self), let clause = conditional.clauses.first,
        hasAttributes(conditional)
      {
        findings.report("@Entity can't tell whether the properties under '#if' are there; move them out", at: clause.poundKeyword)
      }
    }
    return properties
  }

  private mutating func readVariable(_ variable: VariableDeclSyntax) -> [Property] {
    guard variable.isStoredInInstances else { return [] }
    if variable.attributes.first(named: "Transient") != nil {
      checkTransient(variable)
      return []
    }
    if let lazy = variable.modifier("lazy") {
      findings.report("a lazy property can't be read from a row", at: lazy, fixIt: transient(variable))
      return []
    }
    let toMany = toManyMark(variable)
    let options = readOptions(variable)
    let isID = variable.attributes.first(named: "ID") != nil
    var properties: [Property] = []
    for binding in variable.bindings where binding.isStored {
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        findings.report("@Entity maps properties one by one; give each its own name and type", at: binding.pattern)
        continue
      }
      let type = readType(of: binding, in: variable, pattern: pattern)
      if let toMany {
        let many = readMany(pattern.identifier, type, in: variable, toMany, access: fieldAccess(variable))
        if let many { properties.append(Property(model: .many(many))) }
        continue
      }
      var attribute = AttributeModel(
        identifier: pattern.identifier, access: fieldAccess(variable), declaration: variable, type: type,
        initialValue: binding.initializer?.value, isID: isID,
        column: options.column, storage: options.storage?.type, reference: options.reference?.text,
        isSearchable: options.searchable != nil, isVersion: options.version != nil, isGenerated: options.generated != nil,
        isIdentity: options.isIdentity,
        mapping: options.mapping?.text, renamedFrom: options.renamedFrom)
      if binding.initializer != nil, variable.bindingSpecifier.text == "let" {
        findings.report(
          "'\(attribute.name)' is a constant that has its value already, so no row can fill it", at: variable.bindingSpecifier,
          fixIt: .replace(variable.bindingSpecifier, with: "var", "change 'let' to 'var'"))
      }
      if attribute.name == "primaryKey" {
        findings.report(
          "every entity has a 'primaryKey' of its own; name the property otherwise and add @Attribute(.column(\"primaryKey\"))", at: pattern
        )
      }
      check(options, fit: attribute)
      attribute.toOne = readToOne(attribute, options)
      properties.append(Property(model: .attribute(attribute), index: options.index))
    }
    return properties
  }

  /// The type that a binding is written with: its own, or that of the next one in `var a, b: Int`.
  private mutating func readType(
    of binding: PatternBindingSyntax, in variable: VariableDeclSyntax, pattern: IdentifierPatternSyntax
  ) -> WrittenType {
    let following = variable.bindings.drop { $0.id != binding.id }
    let annotated = binding.initializer == nil ? following.first { $0.typeAnnotation != nil || $0.initializer != nil } : binding
    guard let annotation = annotated?.typeAnnotation else {
      let name = binding.initializer.flatMap { Literal($0.value) }?.typeName
      findings.report(
        "'\(pattern.identifier.text)' needs a written type: @Entity doesn't see the one that the compiler infers", at: pattern,
        fixIt: name.map { .insert(": \($0)", after: pattern, "add the type ': \($0)'") })
      return WrittenType(TypeSyntax(IdentifierTypeSyntax(name: .identifier(name ?? "_"))))
    }
    let type = WrittenType(annotation.type)
    if let obstacle = type.obstacle {
      let fixIt = binding.initializer != nil ? transient(variable) : nil
      findings.report("'\(type.text)' \(obstacle), and no attribute can hold it", at: annotation.type, fixIt: fixIt)
    }
    return type
  }

  private mutating func checkTransient(_ variable: VariableDeclSyntax) {
    let marks = ["ID", "Attribute", "ToOne", "ToMany", "ManyToMany"]
    for name in marks {
      for mark in variable.attributes.all(named: name) {
        findings.report(
          "a transient property is no attribute, so @\(name) says nothing", at: mark,
          fixIt: .remove(mark, "remove '\(mark.trimmedDescription)'"))
      }
    }
    // A property wrapper may bring a value of its own.
    guard
      variable.attributes.allSatisfy({
        (marks + ["Transient"]).contains($0.as(AttributeSyntax.self)?.attributeName.trimmedDescription)
      })
    else { return }
    for binding in variable.bindings where binding.isStored && binding.initializer == nil {
      let type = binding.typeAnnotation?.type
      let isNil = type?.is(OptionalTypeSyntax.self) == true || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
      if !isNil || variable.bindingSpecifier.text == "let" {
        findings.report("a transient property needs an initial value: no row has one for it", at: binding.pattern)
      }
    }
  }

  private func hasAttributes(_ conditional: IfConfigDeclSyntax) -> Bool {
    conditional.clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.contains { member in
        if let nested = member.decl.as(IfConfigDeclSyntax.self) { return hasAttributes(nested) }
        guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
        return variable.isStoredInInstances && variable.attributes.first(named: "Transient") == nil
      }
    }
  }

  private func transient(_ variable: VariableDeclSyntax) -> FixIt {
    .insert("@Transient ", before: variable, "add '@Transient'")
  }

  /// A field is as visible as its property; `private` within the struct is `fileprivate` within `Fields`.
  private func fieldAccess(_ variable: VariableDeclSyntax) -> String {
    switch variable.modifiers.access?.name.text {
    case "private", "fileprivate": "fileprivate "
    case "public": "public "
    case "package": "package "
    default: ""
    }
  }
}
