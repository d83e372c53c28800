import DAOKit
import Foundation

extension World {
  /// A text that is not folded as Unicode has it. Both stores fold by one function, whose faults no answer of theirs tells.
  var foldingProblem: String? {
    for case .text(let text) in rows.joined().joined() where UnicodeFolding.knows(text) {
      let (folded, expected) = (CaseFolding.fold(text), UnicodeFolding.fold(text))
      let (a, b) = (folded.precomposedStringWithCanonicalMapping, expected.precomposedStringWithCanonicalMapping)
      if !a.utf8.elementsEqual(b.utf8) {
        return "\(text.debugDescription) folds to \(folded.debugDescription), by Foundation's tables to \(expected.debugDescription)"
      }
    }
    return nil
  }
}
