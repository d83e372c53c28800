import SwiftSyntax
import SwiftSyntaxMacros

/// `@ID`, `@Attribute` and `@Transient`: marks that `@Entity` reads. By themselves they write nothing, and say so where nobody reads them.
struct PropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let isRead = (declaration.as(VariableDeclSyntax.self)?.isStoredInInstances ?? false) && isEntity(context.lexicalContext.first)
    if !isRead {
      var findings = Findings()
      findings.report(
        "@\(node.attributeName.trimmedDescription) belongs on a stored property of an @Entity struct", at: node,
        fixIt: .remove(node, "remove '\(node.trimmedDescription)'"))
      for diagnostic in findings.diagnostics { context.diagnose(diagnostic) }
    }
    return []
  }

  private static func isEntity(_ context: Syntax?) -> Bool {
    guard let type = context?.asProtocol(SyntaxProtocol.self) as? any WithAttributesSyntax else { return false }
    return type.attributes.first(named: "Entity") != nil
  }
}
