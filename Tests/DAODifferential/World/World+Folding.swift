import DAOKit

extension World {
  /// A text that is not folded as Unicode has it. Both stores fold by one function, whose faults no answer of theirs tells.
  var foldingProblem: String? {
    for case .text(let text) in rows.joined().joined() where UnicodeFolding.knows(text) {
      let (folded, expected) = (CaseFolding.fold(text), UnicodeFolding.fold(text))
      if !folded.utf8.elementsEqual(expected.utf8) {
        return "\(text.debugDescription) folds to \(folded.debugDescription), by Unicode's tables to \(expected.debugDescription)"
      }
    }
    return nil
  }
}
