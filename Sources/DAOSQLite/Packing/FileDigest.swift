import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A hash of 128 bits (SipHash-2-4) as 32 hexadecimal digits. It shows every accident; it does not keep out who can write the manifest too.
enum FileDigest {
  private static let key: (UInt64, UInt64) = (0x6461_6F6B_6974_2E73, 0x6565_642E_6469_6765)

  /// Of a file's bytes.
  static func of(file path: String) throws -> String {
    let file = try OpenFile(path, O_RDONLY)
    var (hash, offset) = (SipHash.Stream(key: key), Int64(0))
    while true {
      let bytes = try file.read(1 << 20, at: offset)
      if bytes.isEmpty { return digits(hash.result) }
      hash.take(bytes)
      offset += Int64(bytes.count)
    }
  }

  /// Of a text.
  static func of(_ text: String) -> String {
    var hash = SipHash.Stream(key: key)
    hash.take(Array(text.utf8))
    return digits(hash.result)
  }

  private static func digits(_ hash: SipHash) -> String {
    [hash.low, hash.high].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
