import SwiftDiagnostics
import SwiftSyntax

/// The declarations that can't be mapped, each with its token, gathered so that one pass reports everything.
struct Findings {
  private(set) var diagnostics: [Diagnostic] = []

  /// Reports a problem at a node.
  mutating func report(_ message: String, at node: some SyntaxProtocol, fixIt: FixIt? = nil) {
    diagnostics.append(Diagnostic(node: node, message: Problem(message: message), fixIts: fixIt.map { [$0] } ?? []))
  }
}

private struct Problem: DiagnosticMessage {
  let message: String
  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { MessageID(domain: "DAOMacros", id: "Entity") }
}

private struct Repair: FixItMessage {
  let message: String
  var fixItID: MessageID { MessageID(domain: "DAOMacros", id: "Entity") }
}

extension FixIt {
  /// Puts text in place of a node.
  static func replace(_ node: some SyntaxProtocol, with text: String, _ message: String) -> FixIt {
    edit(node.trimmedRange, text, in: node, message)
  }

  /// Puts text in place of two nodes and all between them.
  static func replace(from first: some SyntaxProtocol, through last: some SyntaxProtocol, with text: String, _ message: String) -> FixIt {
    edit(first.positionAfterSkippingLeadingTrivia..<last.endPositionBeforeTrailingTrivia, text, in: first, message)
  }

  /// Puts text before a node.
  static func insert(_ text: String, before node: some SyntaxProtocol, _ message: String) -> FixIt {
    let start = node.positionAfterSkippingLeadingTrivia
    return edit(start..<start, text, in: node, message)
  }

  /// Puts text after a node.
  static func insert(_ text: String, after node: some SyntaxProtocol, _ message: String) -> FixIt {
    let end = node.endPositionBeforeTrailingTrivia
    return edit(end..<end, text, in: node, message)
  }

  /// Takes an attribute out, with the space or line break that follows it.
  static func remove(_ attribute: AttributeSyntax, _ message: String) -> FixIt {
    let next = attribute.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate)
    let end = next?.positionAfterSkippingLeadingTrivia ?? attribute.endPosition
    return edit(attribute.positionAfterSkippingLeadingTrivia..<end, "", in: attribute, message)
  }

  /// Takes an argument out of an attribute, and the whole attribute where it is the only one.
  static func remove(_ argument: LabeledExprSyntax, of attribute: AttributeSyntax, _ message: String) -> FixIt {
    guard case .argumentList(let arguments)? = attribute.arguments, arguments.count > 1 else { return .remove(attribute, message) }
    return removeElement(argument, message)
  }

  /// Takes an element out of a list.
  static func removeElement(_ element: some WithTrailingCommaSyntax & SyntaxProtocol, _ message: String) -> FixIt {
    let before = element.previousToken(viewMode: .sourceAccurate)
    // The last one takes the comma before it along.
    if element.trailingComma == nil, let before, before.tokenKind == .comma {
      return edit(before.positionAfterSkippingLeadingTrivia..<element.endPositionBeforeTrailingTrivia, "", in: element, message)
    }
    return edit(element.positionAfterSkippingLeadingTrivia..<element.endPosition, "", in: element, message)
  }

  private static func edit(_ range: Range<AbsolutePosition>, _ text: String, in node: some SyntaxProtocol, _ message: String) -> FixIt {
    FixIt(message: Repair(message: message), changes: [.replaceText(range: range, with: text, in: Syntax(node))])
  }
}
