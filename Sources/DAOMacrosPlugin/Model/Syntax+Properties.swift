import SwiftSyntax

extension AttributeListSyntax {
  /// The first attribute of this name, with or without the module in front.
  func first(named name: String) -> AttributeSyntax? { all(named: name).first }

  /// All attributes of this name.
  func all(named name: String) -> [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }.filter {
      let written = $0.attributeName.trimmedDescription
      return written == name || written == "DAOMacros.\(name)"
    }
  }
}

extension VariableDeclSyntax {
  /// Whether each instance stores a value: neither static nor computed. Observers leave a property stored.
  var isStoredInInstances: Bool {
    !modifiers.contains { ["static", "class"].contains($0.name.text) } && bindings.contains(where: \.isStored)
  }

  /// The modifier of this name.
  func modifier(_ name: String) -> DeclModifierSyntax? { modifiers.first { $0.name.text == name } }
}

extension PatternBindingSyntax {
  /// Whether the binding has storage.
  var isStored: Bool {
    switch accessorBlock?.accessors {
    case nil: true
    case .getter: false
    case .accessors(let accessors): accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }
}

extension DeclModifierListSyntax {
  /// The modifier that says who sees the declaration itself, not only its setter.
  var access: DeclModifierSyntax? {
    first { $0.detail == nil && ["open", "public", "package", "internal", "fileprivate", "private"].contains($0.name.text) }
  }
}
