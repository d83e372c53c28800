import DAOCriteria
import Foundation

/// Text patterns in SQLite's forms.
enum Pattern {
  /// A `like` pattern for GLOB, which has the same `*` and `?`, and sets in brackets, through which everything literal goes.
  static func glob(_ pattern: String) -> String {
    var glob = ""
    parse(pattern) { token in
      switch token {
      case .anyCharacters: glob += "*"
      case .oneCharacter: glob += "?"
      case .literal(let scalar):
        if scalar == "*" || scalar == "?" || scalar == "[" { glob += "[\(scalar)]" } else { glob.unicodeScalars.append(scalar) }
      }
    }
    return glob
  }

  /// A pattern for LIKE with `\` as the escape.
  static func like(_ pattern: String, _ match: TextMatch) -> String {
    var like = ""
    func literal(_ scalar: Unicode.Scalar) {
      if scalar == "%" || scalar == "_" || scalar == "\\" { like += "\\" }
      like.unicodeScalars.append(scalar)
    }
    if match == .like {
      parse(pattern) { token in
        switch token {
        case .anyCharacters: like += "%"
        case .oneCharacter: like += "_"
        case .literal(let scalar): literal(scalar)
        }
      }
    } else {
      pattern.unicodeScalars.forEach(literal)
    }
    return switch match {
    case .like: like
    case .contains: "%\(like)%"
    case .beginsWith: "\(like)%"
    case .endsWith: "%\(like)"
    }
  }

  /// The end of the range of texts that begin with `prefix`, itself not in it: the prefix with its last scalar replaced by the next one.
  ///
  /// UTF-8 orders as scalars do. Where there is no next scalar, an empty blob ends the range: SQLite orders every text before every blob
  /// (sqlite.org/datatype3.html, section 4.1).
  static func prefixEnd(_ prefix: String) -> StoredValue {
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      // U+D800 to U+DFFF are no scalars; U+10FFFF is the last.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let next = Unicode.Scalar(next) {
        scalars.append(next)
        return .text(String(scalars))
      }
    }
    return .blob(Data())
  }

  private enum Token {
    case anyCharacters, oneCharacter
    case literal(Unicode.Scalar)
  }

  private static func parse(_ pattern: String, _ body: (Token) -> Void) {
    var escaped = false
    for scalar in pattern.unicodeScalars {
      if escaped {
        body(.literal(scalar))
        escaped = false
      } else {
        switch scalar {
        case "\\": escaped = true
        case "*": body(.anyCharacters)
        case "?": body(.oneCharacter)
        default: body(.literal(scalar))
        }
      }
    }
    // A backslash at the very end has nothing to escape and stands for itself.
    if escaped { body(.literal("\\")) }
  }
}
