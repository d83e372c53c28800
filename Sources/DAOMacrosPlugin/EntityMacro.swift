import SwiftSyntax
import SwiftSyntaxMacros

/// `@Entity`: reads the struct, reports everything that can't be mapped, and writes the conformance where there is nothing to report.
struct EntityMacro: ExtensionMacro {
  // The writer lays the text out as the package's own code is.
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var reader = EntityReader(attribute: node, declaration: declaration, lexicalContext: context.lexicalContext)
    let entity = reader.read()
    for diagnostic in reader.findings.diagnostics { context.diagnose(diagnostic) }
    guard let entity else { return [] }
    // The list is empty where the person names the conformance too.
    let writer = EntityWriter(entity: entity, type: type.trimmedDescription, namesConformance: !protocols.isEmpty)
    return [try ExtensionDeclSyntax("\(raw: writer.text)")]
  }
}
