/// Finds the name that was probably meant.
package enum Nearest {
  /// The name with the smallest edit distance, if it is close enough to be a slip: a third of its length at most.
  public static func name(to wrong: String, among names: [String]) -> String? {
    // The name may be untrusted and of any length. A single character may be long too, with enough marks.
    let wrong = String(String.UnicodeScalarView(wrong.unicodeScalars.prefix(64))).lowercased()
    let candidates = names.map { (name: $0, distance: distance(wrong, $0.lowercased())) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }), best.distance <= max(1, best.name.count / 3) else { return nil }
    return best.name
  }

  /// The insertions, deletions, replacements and swaps of neighbours that lead from one text to the other (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars.prefix(64)), Array(right.unicodeScalars.prefix(64)))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var row = [i + 1]
      for (j, other) in right.enumerated() {
        var best = min(last[j] + (character == other ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, character == right[j - 1], left[i - 1] == other { best = min(best, beforeLast[j - 1] + 1) }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
