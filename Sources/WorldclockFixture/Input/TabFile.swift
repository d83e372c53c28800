import Foundation

/// The rows of one of the time zone database's tables: UTF-8, fields parted by a tab, `#` begins a comment line.
struct TabFile {
  struct Row {
    let line: Int
    let fields: [String]
  }

  let url: URL
  let rows: [Row]

  init(_ url: URL) throws {
    self.url = url
    let bytes: Data
    do { bytes = try Data(contentsOf: url) } catch { throw InputError(url, "cannot be read: \(error.localizedDescription)") }
    guard let text = String(bytes: bytes, encoding: .utf8) else { throw InputError(url, "is not UTF-8") }
    guard text.hasSuffix("\n") else { throw InputError(url, "is empty or cut off: it does not end with a newline") }
    rows = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().enumerated().compactMap { index, line in
      line.hasPrefix("#")
        ? nil : Row(line: index + 1, fields: line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
    }
    guard !rows.isEmpty else { throw InputError(url, "has no rows") }
  }

  /// An error at a row.
  func error(_ row: Row, _ reason: String) -> InputError {
    InputError(url, line: row.line, reason)
  }
}
