import DAOCriteria
import Foundation
import SwiftCSV

extension SeedFileReader {
  mutating func readCSV(_ data: Data, _ put: Put) throws {
    guard var text = String(validating: data, as: UTF8.self) else { return add("is not UTF-8") }
    if let problem = Self.misread(text) { return add(problem) }
    // Or an empty cell at the very end would be lost.
    if let last = text.last, !last.isNewline { text += "\n" }
    let csv: EnumeratedCSV
    do { csv = try EnumeratedCSV(string: text, delimiter: .comma, loadColumns: false, rowLimit: 0) } catch {
      return add("is no CSV: \(error)")
    }
    let header = csv.header
    if header.isEmpty { return add("has no header") }
    for name in header where entity[name] == nil { add(unknown: name, row: nil) }
    for name in Set(header) where header.filter({ $0 == name }).count > 1 { add("stands twice in the header", attribute: name.shown) }
    var rows: [[String]] = []
    do { try csv.enumerateAsArray(startAt: 1, rowLimit: nil) { rows.append($0) } } catch {
      return add("is no CSV: \(error)", row: rows.count + 1)
    }
    // Lines that are blank at the end are no rows; an empty cell in quotes is one.
    var blanks = text.reversed().prefix(while: \.isWhitespace).count(where: \.isNewline) - 1
    while blanks > 0, rows.last == [""] {
      rows.removeLast()
      blanks -= 1
    }
    let places = Dictionary(header.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, row) in rows.enumerated() where !isFull {
      guard row.count == header.count else {
        add("expects \(header.count) cells, not \(row.count)", row: index + 1)
        continue
      }
      try putRow(index + 1, put) { attribute in try places[attribute.name].flatMap { try Self.value(row[$0], of: attribute) } }
    }
  }

  /// Nil for an empty cell: the attribute's default, else nil where it may be, and for a key that is generated.
  private static func value(_ cell: String, of attribute: Attribute) throws -> Scalar? {
    if cell.isEmpty, attribute.isOptional { return .null }
    if cell.isEmpty, attribute.type == .text, attribute.defaultValue == nil {
      throw ValueProblem("is an empty cell; an empty text is written in JSON, or as the attribute's default")
    }
    if cell.isEmpty { return nil }
    switch attribute.type {
    case .bool:
      switch cell {
      case "true", "1": return .bool(true)
      case "false", "0": return .bool(false)
      default: throw ValueProblem("expects true or false, not the text \"\(cell.shown)\"")
      }
    case .integer:
      guard let value = Int64(cell) else { throw ValueProblem("expects an integer of 64 bits, not the text \"\(cell.shown)\"") }
      return .integer(value)
    case .real:
      guard let value = Double(cell), !value.isNaN else { throw ValueProblem("expects a double, not the text \"\(cell.shown)\"") }
      return .real(value)
    default: return try JSONNode.text(cell).scalar(as: attribute.type)
    }
  }

  /// Returns the problem of a text that the parser would misread; nil where there is none. The parser works by characters: each kind of
  /// line end is one character, and a comma, quote or line end followed by an accent is an ordinary character.
  private static func misread(_ text: String) -> String? {
    var (line, quotes) = (1, 0)
    for character in text {
      guard let first = character.unicodeScalars.first else { continue }
      let isAlone = character.unicodeScalars.count == 1
      switch first {
      case "\n": line += 1
      case "\r" where character == "\r\n": line += 1
      case "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}":
        return "line \(line) has the character U+\(String(first.value, radix: 16, uppercase: true)), which would end it; use JSON"
      case "\"": quotes += 1
      default: break
      }
      if !isAlone, first == "," || first == "\"" || first == "\n" {
        return "line \(line) has '\(first)' right before a character that joins it; use JSON"
      }
    }
    return quotes.isMultiple(of: 2) ? nil : "has a quote that does not end"
  }
}
