extension String {
  /// The name as an SQL identifier: `"name"`, quotes inside doubled.
  public var quotedIdentifier: String { "\"" + doubling("\"") + "\"" }

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
