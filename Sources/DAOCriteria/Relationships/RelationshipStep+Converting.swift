import Foundation

// In databases made elsewhere a reference and its key may have columns of different kinds: a key declared STRING is kept as the number 100,
// and a VARCHAR that refers to it as the text '100'. SQLite compares the two as numbers where one column has a numeric type
// (sqlite.org/datatype3.html, section 4.2). It does not for columns without any type, which an attribute does not distinguish from those of
// an unknown type: their values pair too. A number leads to texts that spell it as SQLite does; '0100' leads to 100, and is not found from
// there.
extension RelationshipStep {
  /// How many attributes pair with one that is stored in another form.
  var convertedCount: Int { pairs.count { $0.here.type != $0.there.type } }

  /// Whether values of both sides may be equal that are kept in different forms.
  var converts: Bool { convertedCount > 0 }

  /// The keys over there that keys here are equal to, each with those here.
  func converted(_ keys: [MatchKey]) -> [MatchKey: [MatchKey]] {
    var here: [MatchKey: [MatchKey]] = [:]
    for key in keys {
      let forms = pairs.enumerated().map { position, pair in Self.forms(of: key[position], pair.here.type, as: pair.there.type) }
      let combinations = forms.reduce([[]]) { found, forms in found.flatMap { values in forms.map { values + [$0] } } }
      for case let form? in combinations.map(MatchKey.init) { here[form, default: []].append(key) }
    }
    return here
  }

  /// The values of one type that are equal to a value of another.
  private static func forms(of scalar: Scalar, _ here: AttributeType, as there: AttributeType) -> [Scalar] {
    guard here != there, let stored = try? here.stored(scalar) else { return [scalar] }
    var forms = [stored]
    switch stored {
    case .integer(let value):
      // No double is equal to some.
      if there == .real, Double(exactly: value) == nil { return [] }
      forms.append(.text("\(value)"))
    // SQLite reads no number in the text of an infinity.
    case .real(let value) where value.isFinite: forms.append(.text(Self.text(value)))
    case .text(let text) where scalar.isNumberInText:
      let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if let number = Int64(digits).map({ StoredValue.integer($0) }) ?? Double(digits).map({ .real($0) }) { forms.append(number) }
    default: break
    }
    return forms.compactMap { there.matched($0) }
  }

  /// A double as SQLite writes it, with 15 digits and a point: `1.0e-07`.
  private static func text(_ value: Double) -> String {
    let text = String(format: "%.15g", value)
    guard !text.contains(".") else { return text }
    guard let exponent = text.firstIndex(of: "e") else { return text + ".0" }
    return text[..<exponent] + ".0" + text[exponent...]
  }
}
