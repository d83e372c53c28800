import SwiftDiagnostics
import SwiftSyntax

extension EntityReader {
  /// The indexes that properties ask for, then those of `@Entity` itself.
  mutating func readIndexes(_ properties: [Property]) -> [String] {
    var indexes: [String] = []
    var covered: Set<[String]> = []
    for property in properties {
      guard let index = property.index, let attribute = property.model.attribute else { continue }
      if isView {
        findings.report(
          "a view can't be indexed", at: index.argument.expression,
          fixIt: .remove(index.argument, of: index.attribute, "remove '\(index.argument.expression.trimmedDescription)'"))
      }
      covered.insert([attribute.name])
      indexes.append("(on: \(literal(attribute.name))\(index.isUnique ? ", unique: true" : ""))")
    }
    guard let written = argument("indexes") else { return indexes }
    guard let list = written.as(ArrayExprSyntax.self) else {
      findings.report("@Entity checks the indexes' names; write them out as a list of Index(on: …)", at: written)
      return indexes
    }
    if isView, !list.elements.isEmpty { findings.report("a view can't be indexed", at: list) }
    for element in list.elements {
      guard let call = element.expression.as(FunctionCallExprSyntax.self), isIndex(call.calledExpression) else {
        findings.report("@Entity checks the indexes' names; write this one out as Index(on: …)", at: element.expression)
        continue
      }
      let names = readNames(call, properties.compactMap(\.model.attribute))
      if let names, !covered.insert(names).inserted {
        findings.report(
          "there is an index over \(names.map { "'\($0)'" }.joined(separator: ", ")) already", at: element.expression,
          fixIt: .removeElement(element, "remove '\(element.expression.trimmedDescription)'"))
      }
      indexes.append("(\(call.arguments.trimmedDescription))")
    }
    return indexes
  }

  /// The attributes' names, each checked; nil where one is not a plain literal.
  private mutating func readNames(_ call: FunctionCallExprSyntax, _ attributes: [AttributeModel]) -> [String]? {
    let written = call.arguments.prefix { $0.label.map { $0.text == "on" } ?? true }.map(\.expression)
    let expressions = written.flatMap { $0.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [$0] }
    var names: [String] = []
    defer { checkDescending(call, names) }
    for expression in expressions {
      guard let string = expression.as(StringLiteralExprSyntax.self), let name = string.representedLiteralValue else { return nil }
      names.append(name)
      guard !attributes.contains(where: { $0.name == name }) else { continue }
      let owner = attributes.first { $0.column?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue == name }
      let nearest = owner?.name ?? nearestName(to: name, among: attributes.map(\.name))
      findings.report(
        owner == nil ? "there is no attribute '\(name)'" : "'\(name)' is a column; an index names attributes", at: string,
        fixIt: nearest.map { .replace(string, with: literal($0), "change it to '\($0)'") })
    }
    return names
  }

  /// Checks that the descending attributes are among the index's names.
  private mutating func checkDescending(_ call: FunctionCallExprSyntax, _ names: [String]) {
    let written = call.arguments.first { $0.label?.text == "descending" }?.expression.as(ArrayExprSyntax.self)
    for element in written?.elements.map(\.expression) ?? [] {
      guard let name = element.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !names.contains(name) else { continue }
      findings.report("'\(name)' is not in this index", at: element)
    }
  }

  private func isIndex(_ expression: ExprSyntax) -> Bool {
    ["Index", ".init", "DAOKit.Index", "DAOMacros.Index", "DAOCriteria.Index"].contains(expression.trimmedDescription)
  }
}
