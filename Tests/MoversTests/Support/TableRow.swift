import Foundation

/// A row of a table in an article.
struct TableRow {
  /// The heading that the table stands under.
  let section: String
  /// The number of the row's line.
  let line: Int
  /// The texts between the bars, in which `\|` is a bar.
  let cells: [String]

  /// The rows of an article's tables, without their headers.
  static func rows(of article: String) -> [TableRow] {
    var rows: [TableRow] = []
    var section = ""
    var isHeader = true
    for (index, line) in article.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("#") { section = String(line.drop { $0 == "#" }.dropFirst()) }
      guard line.hasPrefix("|") else {
        isHeader = true
        continue
      }
      if line.hasPrefix("|---") {
        isHeader = false
      } else if !isHeader {
        let parts = line.replacingOccurrences(of: "\\|", with: "\0").split(separator: "|", omittingEmptySubsequences: false)
        let cells = parts.dropFirst().dropLast().map {
          $0.replacingOccurrences(of: "\0", with: "|").trimmingCharacters(in: .whitespaces)
        }
        rows.append(TableRow(section: section, line: index + 1, cells: cells))
      }
    }
    return rows
  }

  /// Returns the code spans of a cell.
  func code(of cell: Int) -> [String] { cells[cell].matches(of: /`([^`]+)`/).map { String($0.1) } }
}
