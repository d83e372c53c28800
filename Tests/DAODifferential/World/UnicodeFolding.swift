import DAOKit
import Foundation

/// Text without regard to case, character by character, as Foundation has it: another way to what ``CaseFolding`` takes from the tables of
/// Swift's own library, which both stores share.
enum UnicodeFolding {
  /// Whether all of a text's characters are in Unicode 8 or before: Foundation on Linux does not fold letters that came later.
  static func knows(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in scalar.properties.age.map { $0.major <= 8 } ?? true }
  }

  /// The folded form. Where a character folds to several, Foundation may compose them.
  static func fold(_ text: String) -> String {
    text.unicodeScalars.map { String($0).folding(options: .caseInsensitive, locale: nil) }.joined()
  }
}
