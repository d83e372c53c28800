import DAOKit
import Foundation

/// The parts of a text that orders rows: `lastName:desc,firstName`.
enum SortText {
  struct Key {
    var name: String
    var isAscending: Bool?
    var problem: DAOError.CriteriaProblem?
  }

  static func keys(of text: String) -> [Key] {
    guard !trimmed(text[...]).isEmpty else { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).enumerated().map { number, part in
      let parts = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
      var key = Key(name: parts[0])
      if key.name.isEmpty {
        key.problem = DAOError.CriteriaProblem(path: "", message: "the order \(number + 1) has no attribute")
      } else if parts.count > 1 {
        let direction = String(parts[1].prefix(64))
        key.isAscending = directions[direction.lowercased()]
        if key.isAscending == nil {
          key.problem = DAOError.CriteriaProblem(
            path: String(key.name.prefix(64)), message: "'\(direction)' is no direction, which is asc or desc",
            suggestion: Nearest.name(to: direction, among: ["asc", "desc", "ascending", "descending"]))
        }
      }
      return key
    }
  }

  private static let directions = [
    "asc": true, "ascending": true, "yes": true, "true": true, "1": true,
    "desc": false, "descending": false, "no": false, "false": false, "0": false,
  ]

  private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
