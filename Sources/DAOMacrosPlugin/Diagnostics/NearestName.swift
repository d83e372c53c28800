/// The name that someone who wrote `name` most likely meant; nil where none comes close.
func nearestName(to name: String, among names: [String]) -> String? {
  let ranked = names.map { (name: $0, distance: editDistance(name.lowercased(), $0.lowercased())) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= max(1, name.count / 3) else { return nil }
  return best.name
}

/// How many characters must be added, dropped, changed or swapped with the next to make one word of the other (optimal string alignment).
private func editDistance(_ first: String, _ second: String) -> Int {
  let (first, second) = (Array(first), Array(second))
  var rows = [Array(0...second.count)]
  for i in first.indices {
    var row = [i + 1]
    for j in second.indices {
      var best = min(rows[i][j] + (first[i] == second[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] { best = min(best, rows[i - 1][j - 1] + 1) }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[first.count][second.count]
}
