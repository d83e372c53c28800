extension TextMatch {
  /// Whether a text fits a pattern; without regard to case as ``CaseFolding`` has it.
  func fits(_ text: String, _ pattern: String, caseSensitive: Bool) -> Bool {
    let fold = { (text: String) in caseSensitive ? text : CaseFolding.fold(text) }
    let text = Array(fold(text).unicodeScalars)
    switch self {
    case .like: return Self.fits(text[...], Self.parse(fold(pattern))[...])
    case .contains:
      let part = Array(fold(pattern).unicodeScalars)
      return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
    case .beginsWith: return text.starts(with: fold(pattern).unicodeScalars)
    case .endsWith: return text.reversed().starts(with: fold(pattern).unicodeScalars.reversed())
    }
  }

  private enum Token {
    case anything, one
    case literal(Unicode.Scalar)
  }

  private static func parse(_ pattern: String) -> [Token] {
    var rest = pattern.unicodeScalars[...]
    var tokens: [Token] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": tokens.append(.anything)
      case "?": tokens.append(.one)
      // One at the very end has nothing to escape.
      case "\\": tokens.append(.literal(rest.popFirst() ?? "\\"))
      default: tokens.append(.literal(scalar))
      }
    }
    return tokens
  }

  private static func fits(_ text: ArraySlice<Unicode.Scalar>, _ tokens: ArraySlice<Token>) -> Bool {
    guard let token = tokens.first else { return text.isEmpty }
    return switch token {
    case .anything: (text.startIndex...text.endIndex).contains { fits(text[$0...], tokens.dropFirst()) }
    case .one: !text.isEmpty && fits(text.dropFirst(), tokens.dropFirst())
    case .literal(let scalar): text.first == scalar && fits(text.dropFirst(), tokens.dropFirst())
    }
  }
}
