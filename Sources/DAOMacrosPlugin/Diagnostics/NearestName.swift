/// The name that someone who wrote `name` most likely meant; nil where none comes close.
func nearestName(to name: String, among names: [String]) -> String? {
  let ranked = names.map { (name: $0, distance: editDistance(name.lowercased(), $0.lowercased())) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= max(1, name.count / 3) else { return nil }
  return best.name
}

/// How many characters must be added, dropped or changed to make one word of the other (Levenshtein).
private func editDistance(_ first: String, _ second: String) -> Int {
  let second = Array(second)
  var row = Array(0...second.count)
  for (i, a) in first.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, b) in second.enumerated() {
      let change = diagonal + (a == b ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, diagonal + 1)
    }
  }
  return row[second.count]
}
