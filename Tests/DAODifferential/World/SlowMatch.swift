import DAOKit
import Foundation

/// Whether a text fits a pattern, from the documentation's words and nothing else: another way to what ``TextPattern`` does for both
/// stores.
package enum SlowMatch {
  package static func fits(_ text: String, _ match: Criteria.TextComparison, _ pattern: String, caseSensitive: Bool) -> Bool {
    if caseSensitive { return fits(characters(text) { [$0] }, match, characters(pattern) { [$0] }) }
    let (composedText, composedPattern) = (text.precomposedStringWithCanonicalMapping, pattern.precomposedStringWithCanonicalMapping)
    return [(text, pattern), (composedText, composedPattern)].contains { text, pattern in
      fits(characters(text, fold), match, characters(pattern, fold))
    }
  }

  private static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] { Array(CaseFolding.fold(String(scalar)).unicodeScalars) }

  /// A text's characters, each as what it folds to.
  private static func characters(_ text: String, _ fold: (Unicode.Scalar) -> [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    text.unicodeScalars.map(fold)
  }

  private static func fits(_ text: [[Unicode.Scalar]], _ match: Criteria.TextComparison, _ pattern: [[Unicode.Scalar]]) -> Bool {
    let (scalars, part) = (Array(text.joined()), Array(pattern.joined()))
    switch match {
    case .like: return fits(text, scalars, tokens(part))
    case .contains: return (0...scalars.count).contains { scalars[$0...].starts(with: part) }
    case .beginsWith: return scalars.starts(with: part)
    case .endsWith: return scalars.reversed().starts(with: part.reversed())
    }
  }

  private enum Token { case anything, one, literal(Unicode.Scalar) }

  private static func tokens(_ pattern: [Unicode.Scalar]) -> [Token] {
    var rest = pattern[...]
    var tokens: [Token] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": tokens.append(.anything)
      case "?": tokens.append(.one)
      case "\\": tokens.append(.literal(rest.popFirst() ?? "\\"))
      default: tokens.append(.literal(scalar))
      }
    }
    return tokens
  }

  /// Token by token, the places of the text that the tokens so far may lead to.
  private static func fits(_ text: [[Unicode.Scalar]], _ scalars: [Unicode.Scalar], _ tokens: [Token]) -> Bool {
    // Where each character as a whole begins and ends.
    var ends: [Int: Int] = [:]
    var place = 0
    for character in text {
      ends[place] = place + character.count
      place += character.count
    }
    var places: Set<Int> = [0]
    for token in tokens {
      switch token {
      case .anything: if let first = places.min() { places.formUnion(first...scalars.count) }
      case .one: places = Set(places.flatMap { place in place < scalars.count ? [place + 1] + (ends[place].map { [$0] } ?? []) : [] })
      case .literal(let scalar): places = Set(places.filter { $0 < scalars.count && scalars[$0] == scalar }.map { $0 + 1 })
      }
    }
    return places.contains(scalars.count)
  }
}

extension World {
  /// A text that ``TextPattern`` holds to fit a pattern otherwise than ``SlowMatch`` does, or that fits with regard to case and not
  /// without.
  func matchProblem(_ condition: Criteria.Condition, of table: Int) -> String? {
    switch condition.node {
    case .not(let inner): return matchProblem(inner, of: table)
    case .matches(.field(let path), let match, .text(let pattern), _):
      guard let place = schema.tables[table].place(of: path.description) else { return nil }
      return rows[table].lazy.compactMap { row in
        if case .text(let text) = row[place] { SlowMatch.problem(text, match, pattern) } else { nil }
      }.first
    default: return nil
    }
  }
}

extension SlowMatch {
  /// What is wrong with how a text fits a pattern, if something is.
  package static func problem(_ text: String, _ match: Criteria.TextComparison, _ pattern: String) -> String? {
    let fits = [true, false].map { caseSensitive in
      var text = text
      return text.withUTF8 { TextPattern(match, pattern, caseSensitive: caseSensitive).fits($0) }
    }
    let what = "\(text.debugDescription) \(match) \(pattern.debugDescription)"
    if fits[0], !fits[1] { return "\(what) fits with regard to case only" }
    for (fits, caseSensitive) in zip(fits, [true, false]) where fits != self.fits(text, match, pattern, caseSensitive: caseSensitive) {
      return "\(what) is \(fits), and must not be; \(caseSensitive ? "with" : "without") regard to case"
    }
    return nil
  }
}
