/// Text without regard to case.
///
/// One rule for `like`, `contains`, `beginsWith` and `endsWith` with `caseSensitive: false`, on every store: a text fits a pattern where it
/// fits once each of their characters is folded by itself, or where their composed forms (NFC) do. Every text that fits with regard to case
/// fits without it too, and `Ä` is `ä` in either spelling.
///
/// A character folds as Unicode's full case folding has it, the same as `folding(options: .caseInsensitive, locale: nil)` of Foundation's:
/// `Σ`, `σ` and `ς` are one letter, `ß` and `ẞ` are `ss`, `ﬁ` is `fi`, `K` (kelvin) is `k`; `İ` and `ı` are neither `i` nor each other.
package enum CaseFolding {
  /// The text with each of its characters folded: the folding of two texts, one after the other, is that of both together.
  public static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { append(scalar, to: &folded) }
    return String(decoding: folded, as: UTF8.self)
  }

  /// Appends the UTF-8 of a folded character.
  static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    if scalar.value < 0x80 {
      folded.append(0x41...0x5A ~= scalar.value ? UInt8(scalar.value) | 0x20 : UInt8(scalar.value))
    } else if let bytes = table[scalar] {
      folded += bytes
    } else if let bytes = UTF8.encode(scalar) {
      folded.append(contentsOf: bytes)
    }
  }

  /// How a character folds, by Unicode's mappings of case: the lower case of the upper case of the lower case, by which all that share any
  /// of them are one; but for `ı`, which is no `i`.
  private static func fold(_ scalar: Unicode.Scalar) -> String {
    if scalar == "ı" { return "ı" }
    let upper = scalar.properties.lowercaseMapping.unicodeScalars.map(\.properties.uppercaseMapping).joined()
    return upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }

  private static let table = FoldTable(of: [0x80..<0x3000, 0xA640..<0xAC00, 0xFB00..<0xFF60, 0x10400..<0x1EA00]) { fold($0) }
}

/// The characters that fold to something else, with its UTF-8.
private struct FoldTable: Sendable {
  private let foldings: [[UInt8]]
  // Of the characters below 0x3000, in which most that have case are, the number of the folding plus one; 0 for none.
  private let near: [UInt16]
  private let far: [UInt32: [UInt8]]

  /// The characters of some ranges; no other has case.
  init(of ranges: [Range<UInt32>], _ fold: (Unicode.Scalar) -> String) {
    var foldings: [[UInt8]] = []
    var near = [UInt16](repeating: 0, count: 0x3000)
    var far: [UInt32: [UInt8]] = [:]
    for scalar in ranges.joined().lazy.compactMap({ Unicode.Scalar($0) }) {
      let folded = Array(fold(scalar).utf8)
      if folded.elementsEqual(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter) { continue }
      if scalar.value < 0x3000 {
        foldings.append(folded)
        near[Int(scalar.value)] = UInt16(foldings.count)
      } else {
        far[scalar.value] = folded
      }
    }
    self.foldings = foldings
    self.near = near
    self.far = far
  }

  subscript(scalar: Unicode.Scalar) -> [UInt8]? {
    guard scalar.value < 0x3000 else { return far[scalar.value] }
    let number = Int(near[Int(scalar.value)])
    return number == 0 ? nil : foldings[number - 1]
  }
}
