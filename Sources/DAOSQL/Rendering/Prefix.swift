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
  /// a NUL only up to there; `RTRIM` would leave out a blank at the end, and the sign behind that is as good.
  static func end(collated prefix: String) -> StoredValue {
    let small = prefix.utf8.prefix { $0 != 0 }.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    let end = end(String(decoding: small, as: UTF8.self))
    guard case .text(let text) = end, text.utf8.last == UInt8(ascii: " ") else { return end }
    // By scalars: the blank and a sign before it may be one `Character`.
    return .text(String(text.unicodeScalars.dropLast()) + "!")
  }
}
