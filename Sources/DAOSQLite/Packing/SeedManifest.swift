import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a packed seed is, in a file beside it: `clock.sqlite.manifest`.
///
/// ```json
/// {
///   "applicationID" : 1145196337,
///   "digest" : "9f1c…",
///   "rowCounts" : { "city" : 23, "zone" : 597 },
///   "schema" : "5be0…",
///   "size" : 716800,
///   "version" : 3
/// }
/// ```
///
/// A seed that requires its manifest (``SeedSource/file(_:requiresManifest:)``) is used only where each of its bytes is as it was packed. That is
/// against damage on the way; who means harm and can write the seed can write the manifest too.
public struct SeedManifest: Sendable, Hashable, Codable {
  /// A hash of the seed's file, 128 bits (SipHash-2-4) as hexadecimal digits.
  public let digest: String
  /// The seed's size in bytes.
  public let size: Int64
  /// A hash of the SQL that makes the seed's schema: equal where tables, indexes, views and triggers are.
  public let schema: String
  /// How many rows each table has, by the table's name.
  public let rowCounts: [String: Int]
  /// The seed's `PRAGMA application_id`.
  public let applicationID: Int32
  /// The seed's `PRAGMA user_version`.
  public let version: Int32

  init(digest: String, size: Int64, schema: String, rowCounts: [String: Int], applicationID: Int32, version: Int32) {
    self.digest = digest
    self.size = size
    self.schema = schema
    self.rowCounts = rowCounts
    self.applicationID = applicationID
    self.version = version
  }

  /// The manifest of a seed.
  /// - Throws: ``DAOError/bootstrap(_:)`` of the kind ``BootstrapProblem/Kind/manifest`` where it is not there or can't be read.
  public init(of seed: URL) throws { try self.init(ofSeedAt: Files.path(seed, "seed")) }

  init(ofSeedAt seed: String) throws {
    let path = Self.path(of: seed)
    func problem(_ message: String) -> DAOError { .bootstrap(BootstrapProblem(.manifest, path: path, message)) }
    guard let status = try Files.status(path), status.isRegular else { throw problem("there is no such manifest") }
    // A manifest of a thousand tables has less.
    guard status.size <= Self.largest else { throw problem("\(status.size) bytes are no manifest") }
    let bytes = try OpenFile(Files.resolve(path), O_RDONLY).read(Int(status.size), at: 0)
    do { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) } catch { throw problem("can't be read: \(error)") }
  }

  private static let largest: Int64 = 16 << 20

  /// The path of a seed's manifest.
  static func path(of seed: String) -> String { seed + ".manifest" }

  /// The manifest as a file holds it: the same bytes for the same manifest.
  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }

  /// Compares a file with the manifest, each byte of it.
  /// - Parameters:
  ///   - path: the file, which may be a copy of the seed.
  ///   - seed: the seed's path, for the error.
  func check(_ path: String, of seed: String) throws {
    let found = try FileDigest.of(file: path)
    guard found != digest else { return }
    throw DAOError.bootstrap(
      BootstrapProblem(.manifest, path: seed, "the seed is not the one that its manifest is about: its digest is \(found), not \(digest)"))
  }
}
