import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// SHA-256, in lower-case hexadecimal.
enum FileDigest {
  /// Of a file's bytes.
  static func sha256(of path: String) throws -> String {
    let file = try OpenFile(path, O_RDONLY)
    var (hash, offset) = (SHA256(), Int64(0))
    while true {
      let bytes = try file.read(1 << 20, at: offset)
      if bytes.isEmpty { return hexadecimal(hash.finalize()) }
      hash.update(data: bytes)
      offset += Int64(bytes.count)
    }
  }

  /// Of a text.
  static func sha256(_ text: String) -> String { hexadecimal(SHA256.hash(data: Array(text.utf8))) }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
