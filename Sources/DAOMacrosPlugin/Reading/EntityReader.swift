import SwiftDiagnostics
import SwiftSyntax

/// Reads a struct under `@Entity`. Declarations that can't be mapped are added to ``findings``; reading continues, so that one pass finds
/// everything.
struct EntityReader {
  let attribute: AttributeSyntax
  let declaration: any DeclGroupSyntax
  let lexicalContext: [Syntax]
  var findings = Findings()

  init(attribute: AttributeSyntax, declaration: some DeclGroupSyntax, lexicalContext: [Syntax]) {
    self.attribute = attribute
    self.declaration = declaration
    self.lexicalContext = lexicalContext
  }

  /// The entity; nil where there are findings.
  mutating func read() -> EntityModel? {
    guard let name = readDeclaration() else { return nil }
    let properties = readProperties()
    let attributes = properties.compactMap(\.model.attribute)
    let key = readKey(attributes, typeName: name)
    checkColumns(attributes)
    for other in attributes.filter(\.isVersion).dropFirst() {
      findings.report("an entity has one version; '\(other.name)' is another", at: other.identifier)
    }
    let indexes = readIndexes(properties)
    guard let key, findings.diagnostics.isEmpty else { return nil }
    let ownName = (name.identifier?.name ?? name.text).asEntityName
    return EntityModel(
      name: argument(nil)?.trimmedDescription ?? literal(ownName),
      plainName: argument(nil)?.as(StringLiteralExprSyntax.self)?.representedLiteralValue ?? ownName,
      table: argument("table")?.trimmedDescription,
      source: argument("source")?.trimmedDescription,
      key: key, properties: properties.map(\.model), indexes: indexes, renamedFrom: argument("renamedFrom")?.trimmedDescription,
      access: declaration.modifiers.access.map { ["public", "package"].contains($0.name.text) ? "\($0.name.text) " : "" } ?? "",
      shadowingNames: typeNames(besides: name), hasMemberwiseInit: hasMemberwiseInit)
  }

  /// The expression of one of `@Entity`'s arguments; nil where it is left out or `nil`.
  func argument(_ label: String?) -> ExprSyntax? {
    guard case .argumentList(let arguments)? = attribute.arguments else { return nil }
    let expression = arguments.first { $0.label?.text == label }?.expression
    return expression?.is(NilLiteralExprSyntax.self) == true ? nil : expression
  }

  /// Whether the rows are a view's, as far as the source shows.
  var isView: Bool {
    argument("source")?.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "view"
  }

  /// Whether the compiler is sure to write an initialiser over all properties: none is declared, and nothing is in sight that could add
  /// one.
  private var hasMemberwiseInit: Bool {
    let others = declaration.attributes.filter { element in
      guard case .attribute(let other) = element else { return true }
      return other.attributeName.trimmedDescription != attribute.attributeName.trimmedDescription
        && other.attributeName.trimmedDescription != "available"
    }
    return others.isEmpty
      && !declaration.memberBlock.members.contains { member in
        member.decl.is(InitializerDeclSyntax.self) || member.decl.is(IfConfigDeclSyntax.self)
          || member.decl.is(MacroExpansionDeclSyntax.self)
      }
  }

  /// Types that code within the entity finds before the library's.
  private func typeNames(besides name: TokenSyntax) -> Set<String> {
    let members = declaration.memberBlock.members.map { Syntax($0.decl) }
    let names = (members + lexicalContext).compactMap { $0.asProtocol(SyntaxProtocol.self) as? any NamedDeclSyntax }.map(\.name.text)
    return Set(names + [name.text])
  }
}

// The declaration itself.
extension EntityReader {
  /// Checks that the declaration can be an entity.
  /// - Returns: its name; nil where it is of a kind whose properties are not worth reading.
  private mutating func readDeclaration() -> TokenSyntax? {
    let name: TokenSyntax
    var generics: GenericParameterClauseSyntax?
    if let type = declaration.as(StructDeclSyntax.self) {
      name = type.name
      generics = type.genericParameterClause
    } else if let type = declaration.as(ClassDeclSyntax.self) {
      findings.report("an entity is a value: @Entity maps structs, not classes", at: type.classKeyword, fixIt: structInstead(of: type))
      name = type.name
      generics = type.genericParameterClause
    } else {
      findings.report("an entity is a value: @Entity maps structs only", at: declaration.introducer)
      return nil
    }
    if let generics {
      findings.report("a generic type can't be an entity: there would be one description for many types", at: generics)
    }
    checkSurroundings(name)
    return name
  }

  /// Checks that an extension at the top of the file can name the type and hold its static description.
  private mutating func checkSurroundings(_ name: TokenSyntax) {
    let plain = name.identifier?.name ?? name.text
    if ["Entity", "Fields", "PrimaryKey"].contains(plain) {
      let hint = argument(nil) == nil ? "; @Entity(\"\(plain.asEntityName)\") keeps the entity's name" : ""
      findings.report("the code of @Entity has a type called \(plain): give the struct another name\(hint)", at: name)
    }
    let enclosing = lexicalContext.compactMap { $0.asProtocol(SyntaxProtocol.self) as? any DeclGroupSyntax }
    if enclosing.contains(where: { ($0 as? any WithGenericParametersSyntax)?.genericParameterClause != nil }) {
      findings.report("an entity can't be nested in a generic type: there would be one description for many types", at: name)
    }
    if !enclosing.isEmpty, let access = declaration.modifiers.access, access.name.text == "private" {
      findings.report(
        "a nested entity can't be private: its conformance stands outside the enclosing type", at: access,
        fixIt: .replace(access, with: "fileprivate", "change 'private' to 'fileprivate'"))
    }
  }

  /// Offered where nothing in the class shows that it has to be one.
  private func structInstead(of type: ClassDeclSyntax) -> FixIt? {
    let needsClass =
      type.inheritanceClause != nil || type.modifiers.contains { $0.name.text == "open" }
      || type.memberBlock.members.contains { $0.decl.is(DeinitializerDeclSyntax.self) }
    guard !needsClass else { return nil }
    let words = type.modifiers.filter { $0.name.text != "final" }.map(\.trimmedDescription) + ["struct"]
    let first = type.modifiers.first.map { Syntax($0) } ?? Syntax(type.classKeyword)
    return .replace(
      from: first, through: type.classKeyword, with: words.joined(separator: " "), "change 'class' to 'struct'")
  }
}
