import Foundation

// In databases made elsewhere a reference and its key may have columns of different kinds: a key declared STRING is kept as the number 100, and
// a VARCHAR that refers to it as the text '100'. SQLite compares the two as numbers where one column has a numeric type, and as texts where one
// has the type of a text (sqlite.org/datatype3.html, section 4.2). A number leads to texts that spell it as SQLite does; '0100' leads to 100, and
// is not found from there.
extension RelationshipStep {
  /// Whether values of both sides may be equal that are kept in different forms.
  var converts: Bool { pairs.contains { $0.here.type != $0.there.type } }

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
    case .integer(let value): forms.append(.text("\(value)"))
    case .real(let value): forms.append(.text("\(value)"))
    case .text(let text) where scalar.isNumberInText:
      let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if let number = Int64(digits).map({ StoredValue.integer($0) }) ?? Double(digits).map({ .real($0) }) { forms.append(number) }
    default: break
    }
    return forms.compactMap { try? there.scalar($0.identity(as: there)) }
  }
}
