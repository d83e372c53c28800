import DAOKit

/// Texts as files of records have them.
enum ExportText {
  /// A text in JSON (RFC 8259, section 7): quotes, backslashes and controls are escaped.
  static func append(_ text: String, to json: inout String) { json += JSONNode.text(text).json }

  /// Members at their paths, in one object.
  static func append(_ members: [(path: [String], json: String)], to json: inout String) {
    json += "{"
    var names: [String] = []
    for (path, _) in members where !names.contains(path[0]) { names.append(path[0]) }
    for (index, name) in names.enumerated() {
      if index > 0 { json += ", " }
      append(name, to: &json)
      json += ": "
      let own = members.filter { $0.path[0] == name }
      if own[0].path.count == 1 { json += own[0].json } else { append(own.map { (Array($0.path.dropFirst()), $0.json) }, to: &json) }
    }
    json += "}"
  }

  /// A cell of CSV: in quotes where it would be read as another one without.
  static func cell(_ text: String, _ delimiter: Unicode.Scalar) -> String {
    let needsQuotes =
      text.isEmpty || text.unicodeScalars.contains { $0 == delimiter || $0 == "\"" || $0 == "\n" || $0 == "\r" }
      || [" ", "\t"].contains(text.unicodeScalars.first) || [" ", "\t"].contains(text.unicodeScalars.last)
      || text.unicodeScalars.first == "\u{FEFF}"
    if !needsQuotes { return text }
    // By scalars: a quote may be one character with what follows.
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
