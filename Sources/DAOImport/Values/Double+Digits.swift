extension Double {
  /// The number that decimal digits say. `Double` itself also reads hexadecimal ones, "nan", and infinity where a number is too large.
  init?(digits text: String) {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(text), value.isFinite else { return nil }
    self = value
  }
}
