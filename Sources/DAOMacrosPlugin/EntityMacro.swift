import SwiftSyntax
import SwiftSyntaxMacros

/// `@Entity`: reads the struct, reports everything that can't be mapped, and writes the conformance where there is nothing to report.
struct EntityMacro {
  // The writer lays the text out as the package's own code is.
  static var formatMode: FormatMode { .disabled }
}

extension EntityMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var reader = EntityReader(attribute: node, declaration: declaration, lexicalContext: context.lexicalContext)
    let entity = reader.read()
    for diagnostic in reader.findings.diagnostics { context.diagnose(diagnostic) }
    guard let entity else { return [] }
    let writer = EntityWriter(entity: entity)
    let members = (isNested(context) ? [] : writer.types) + writer.functions
    // The list is empty where the person names the conformance too.
    let text = writer.extension(of: type.trimmedDescription, with: members, namesConformance: !protocols.isEmpty)
    return [try ExtensionDeclSyntax("\(raw: text)")]
  }
}

// An extension stands at the top of the file, where the types beside a nested struct are not in sight. Code that names them is written into
// the struct itself.
extension EntityMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard isNested(context) else { return [] }
    // The extension's expansion reports.
    var reader = EntityReader(attribute: node, declaration: declaration, lexicalContext: context.lexicalContext)
    return reader.read().map { EntityWriter(entity: $0).types.map { "\(raw: $0)" } } ?? []
  }

  private static func isNested(_ context: some MacroExpansionContext) -> Bool { !context.lexicalContext.isEmpty }
}
