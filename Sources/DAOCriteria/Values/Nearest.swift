/// Finds the name that was probably meant.
public enum Nearest {
  /// The name with the smallest edit distance, if it is close enough to be a slip: a third of its length at most.
  public static func name(to wrong: String, among names: [String]) -> String? {
    let candidates = names.map { (name: $0, distance: distance(wrong.lowercased(), $0.lowercased())) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }), best.distance <= max(1, best.name.count / 3) else { return nil }
    return best.name
  }

  /// Levenshtein's distance: the insertions, deletions and replacements that lead from one text to the other.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let cost = diagonal + (character == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(cost, row[j] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
