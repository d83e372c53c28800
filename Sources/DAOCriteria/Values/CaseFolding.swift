import Foundation

/// Text without regard to case: two texts are equal where their folded forms have the same bytes.
///
/// The folded form is `folding(options: .caseInsensitive, locale: nil)` of Foundation's, normalised (NFC) before and after: `Ä` is `ä` in either
/// spelling, `Σ`, `σ` and `ς` are one letter, `ß` is `ss`, `ﬁ` is `fi`, `K` (kelvin) is `k`; `İ` and `ı` are neither `i` nor each other.
public enum CaseFolding {
  /// The folded form.
  public static func fold(_ text: String) -> String {
    // The whole text decides: `K` (kelvin) folds to an ASCII letter, so an ASCII pattern alone says nothing.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.precomposedStringWithCanonicalMapping.folding(options: .caseInsensitive, locale: nil).precomposedStringWithCanonicalMapping
  }
}
