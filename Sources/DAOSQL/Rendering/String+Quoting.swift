extension String {
  /// The name as an SQL identifier: `"name"`, quotes inside doubled.
  public var quotedIdentifier: String { "\"" + doubling("\"") + "\"" }

  /// A declared type as a schema has it: `VARCHAR(20)` as it is, any other than words and numbers as one name in quotes.
  package var quotedType: String {
    let isPlain = unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || "_(), ".unicodeScalars.contains($0)
    }
    return isPlain ? self : quotedIdentifier
  }

  /// The text with each `quote` twice. By scalars: a quote and the accent after it are one `Character`, which is no quote.
  func doubling(_ quote: Unicode.Scalar) -> String {
    var doubled = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == quote { doubled.append(quote) }
      doubled.append(scalar)
    }
    return String(doubled)
  }
}
