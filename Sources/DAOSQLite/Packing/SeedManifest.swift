import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The description of a packed seed, in a file beside it: `clock.sqlite.manifest`.
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
/// A seed that requires its manifest (``SeedSource/file(_:requiresManifest:)``) is used only where each of its bytes is as it was packed.
/// The manifest detects damage in transit; an attacker who can write the seed can write the manifest too.
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

  /// The manifest that fits a packed seed.
  init(describing seed: String) throws {
    digest = try FileDigest.of(file: seed)
    size = try Files.status(seed)?.size ?? 0
    (schema, rowCounts, applicationID, version) = try SQLiteFile.open(seed, .readUnchanging) { db in
      let state = try StoreState(reading: db)
      return (FileDigest.of(try Self.schema(of: db)), try Self.rowCounts(in: db), state.applicationID, state.version)
    }
  }

  /// The manifest of a seed.
  /// - Throws: ``DAOError/bootstrap(_:)`` of the kind ``DAOError/BootstrapProblem/Kind/manifest`` where it is not there or can't be read.
  public init(of seed: URL) throws { try self.init(ofSeedAt: Files.path(seed, "seed")) }

  init(ofSeedAt seed: String) throws {
    let path = Self.path(of: seed)
    func problem(_ message: String) -> DAOError { .bootstrap(DAOError.BootstrapProblem(.manifest, path: path, message)) }
    guard let status = try Files.status(path), status.isRegular else { throw problem("there is no such manifest") }
    // A manifest of a thousand tables has less.
    guard status.size <= Self.largest else { throw problem("\(status.size) bytes are no manifest") }
    let bytes = try OpenFile(Files.resolve(path), O_RDONLY).read(Int(status.size), at: 0)
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
      let fields = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
      let unknown = Set(fields.keys).subtracting(CodingKeys.allCases.map(\.rawValue)).sorted()
      if !unknown.isEmpty { throw problem("has fields that are unknown: \(unknown.joined(separator: ", "))") }
    } catch let error as DAOError { throw error } catch { throw problem("can't be read: \(error)") }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case digest, size, schema, rowCounts, applicationID, version }

  private static let largest: Int64 = 16 << 20

  /// The path of a seed's manifest.
  static func path(of seed: String) -> String { seed + ".manifest" }

  /// The beginning of each manifest, which is encoded with its fields in order.
  static var start: [UInt8] { Array("{\n  \"\(CodingKeys.applicationID.rawValue)\" : ".utf8) }

  /// The manifest as a file holds it: the same bytes for the same manifest.
  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }

  /// Compares a file with the manifest: each byte of it, and each field with what the file holds.
  /// - Parameters:
  ///   - path: the file, which may be a copy of the seed.
  ///   - seed: the seed's path, for the error.
  func check(_ path: String, of seed: String) throws {
    func problem(_ finding: String) -> DAOError {
      .bootstrap(DAOError.BootstrapProblem(.manifest, path: seed, "the seed is not the one that its manifest is about: \(finding)"))
    }
    let found = try FileDigest.of(file: path)
    guard found == digest else { throw problem("its digest is \(found), not \(digest)") }
    let differences = try SeedManifest(describing: path).differences(from: self)
    guard differences.isEmpty else { throw problem(differences.joined(separator: "; ")) }
  }

  /// Returns the differences of a file's manifest from another one.
  private func differences(from other: SeedManifest) -> [String] {
    func difference<Value: Equatable>(_ field: CodingKeys, _ value: Value?, _ other: Value?) -> String? {
      func text(_ value: Value?) -> String { value.map { "\($0)" } ?? "nothing" }
      return value == other ? nil : "its \(field.rawValue) is \(text(value)), not \(text(other))"
    }
    let tables = Set(rowCounts.keys).union(other.rowCounts.keys).sorted()
    let rows = tables.compactMap { table in difference(.rowCounts, rowCounts[table], other.rowCounts[table]).map { "of \(table), " + $0 } }
    return [
      difference(.size, size, other.size), difference(.schema, schema, other.schema),
      difference(.applicationID, applicationID, other.applicationID), difference(.version, version, other.version),
    ].compactMap { $0 } + rows
  }

  /// The SQL that makes the schema, the stamp left out.
  private static func schema(of db: Database) throws -> String {
    try db.bareRows(
      "SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> '\(SeedStamp.table)' ORDER BY type, name, sql"
    ) { $0.text(0) }.joined(separator: ";\n")
  }

  private static func rowCounts(in db: Database) throws -> [String: Int] {
    let tables = try StoreSchema(reading: db, view: { _ in false }).tables.filter { !$0.isView }
    return try Dictionary(
      tables.map { table in
        (table.name, try db.bareRows("SELECT count(*) FROM main.\(table.name.quotedIdentifier)") { Int($0.integer(0)) }.first ?? 0)
      }, uniquingKeysWith: { first, _ in first })
  }
}
