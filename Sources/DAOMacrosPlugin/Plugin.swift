import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main struct DAOMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EntityMacro.self, PropertyMacro.self]
}
