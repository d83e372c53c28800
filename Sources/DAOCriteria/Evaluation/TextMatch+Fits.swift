extension TextMatch {
  /// Whether a text fits a pattern; without regard to case as ``CaseFolding`` has it.
  func fits(_ text: String, _ pattern: String, caseSensitive: Bool) -> Bool {
    let fold = { (text: String) in caseSensitive ? text : CaseFolding.fold(text) }
    let text = Array(fold(text).unicodeScalars)
    switch self {
    case .like: return Self.fits(text, Self.parse(fold(pattern)))
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

    func fits(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .anything, .one: true
      case .literal(let literal): literal == scalar
      }
    }
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

  private static func fits(_ text: [Unicode.Scalar], _ tokens: [Token]) -> Bool {
    var (place, token) = (0, 0)
    // The last `*`, and where the text goes on behind what it stands for, so far.
    var star: (token: Int, place: Int)?
    while place < text.count {
      if token < tokens.count, case .anything = tokens[token] {
        star = (token, place)
        token += 1
      } else if token < tokens.count, tokens[token].fits(text[place]) {
        place += 1
        token += 1
      } else if let last = star {
        // It stands for one character more.
        star = (last.token, last.place + 1)
        place = last.place + 1
        token = last.token + 1
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { if case .anything = $0 { true } else { false } }
  }
}
