import DAOCriteria
import Foundation

/// The beginning of texts.
enum Prefix {
  /// The end of the range of texts that begin with `prefix`, itself not in it: the prefix with its last scalar replaced by the next one.
  ///
  /// UTF-8 orders as scalars do. Where there is no next scalar, an empty blob ends the range: SQLite orders every text before every blob
  /// (sqlite.org/datatype3.html, section 4.1).
  static func end(_ prefix: String) -> StoredValue {
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      // U+D800 to U+DFFF are no scalars; U+10FFFF is the last.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let next = Unicode.Scalar(next) {
        scalars.append(next)
        return .text(String(scalars))
      }
    }
    return .blob(Data())
  }

  /// An end of the range of texts that begin with `prefix` in the order of a collation. `NOCASE` compares in small letters, and texts with
  /// a NUL only up to there.
  static func end(collated prefix: String) -> StoredValue {
    end(String(decoding: prefix.utf8.prefix { $0 != 0 }.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self))
  }
}
