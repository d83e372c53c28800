import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A seed as its bytes show it. SQLite opens it as a file that never changes, so that nothing is written beside it.
struct Seed {
  /// The path as it was given.
  let path: String
  /// The path without links: a WAL or journal lies beside the file itself (sqlite.org/howtocorrupt.html, section 2.5).
  let file: String
  let header: SeedHeader
  /// Bytes of the main file.
  let size: Int64
  /// The files beside it that hold a part of it, with their sizes: the WAL of a seed in WAL mode, or the journal of an interrupted writer.
  let sidecars: [(suffix: String, size: Int64)]
  /// Tells seeds apart, in lower-case hexadecimal; see ``SeedPolicy``.
  let fingerprint: String
  /// The manifest that its bytes must match; nil where none is required.
  let manifest: SeedManifest?

  /// All bytes.
  var totalSize: Int64 { sidecars.reduce(size) { $0 + $1.size } }

  /// Reads the seed's header.
  /// - Throws: ``DAOError/bootstrap(_:)`` for everything by which bytes alone show that it is no sound seed.
  init(_ path: String, requiresManifest: Bool = false) throws {
    func problem(_ kind: DAOError.BootstrapProblem.Kind, _ message: String) -> DAOError {
      .bootstrap(DAOError.BootstrapProblem(kind, path: path, message))
    }
    guard let status = try Files.status(path) else { throw problem(.missingSeed, "there is no such seed") }
    guard status.isRegular else { throw problem(.notAFile, "the seed is no file") }
    guard status.size > 0 else { throw problem(.emptySeed, "the seed has no bytes") }
    let target = Files.resolve(path)
    let file: OpenFile
    do { file = try OpenFile(target, O_RDONLY) } catch DAOError.bootstrap(let cause) { throw problem(.system, "the seed \(cause.message)") }
    guard let header = SeedHeader(try file.read(SeedHeader.size, at: 0)) else {
      throw problem(.notADatabase, "the seed is no SQLite database")
    }
    guard header.encoding == SeedHeader.utf8 else { throw DAOError.bootstrap(.wrongEncoding(header.encoding, path: path)) }
    self.path = path
    self.file = target
    self.header = header
    size = status.size

    try StorePaths.checkSidecars(of: target)
    let suffix = header.isWAL ? "-wal" : "-journal"
    let sidecar = try Files.status(target + suffix)
    if header.isWAL, sidecar == nil {
      throw problem(
        .missingWAL,
        "the seed is in WAL mode and there is no -wal beside it, where its last commits may be; ship what VACUUM INTO writes")
    }
    sidecars = sidecar.map { [(suffix, $0.size)] } ?? []

    if !size.isMultiple(of: header.pageSize) {
      throw problem(.truncated, "\(size) bytes are no whole number of pages of \(header.pageSize) bytes")
    }
    // A WAL may still hold pages that the file has yet to get.
    if !header.isWAL, let count = header.pageCount, size < count * header.pageSize {
      throw problem(.truncated, "the seed has \(size / header.pageSize) of its \(count) pages")
    }
    manifest = requiresManifest ? try SeedManifest(ofSeedAt: path) : nil
    if let manifest, status.size != manifest.size || (sidecar?.size ?? 0) > 0 {
      throw problem(
        .manifest,
        "the seed is not the one that its manifest is about: it has \(status.size + (sidecar?.size ?? 0)) bytes, not \(manifest.size)")
    }
    var identity = FNV1a()
    identity.feed(size)
    identity.feed(header.identity)
    // A WAL gets other numbers in its header whenever it starts again (sqlite.org/fileformat2.html, section 4.1), and grows in between.
    if header.isWAL, let sidecar {
      identity.feed(sidecar.size)
      identity.feed(try OpenFile(target + suffix, O_RDONLY).read(32, at: 0))
    }
    if !header.isWAL, let digest = try Self.packedDigest(target) { identity.feed(digest.utf8) }
    fingerprint = String(identity.hash, radix: 16)
  }

  /// The digest that a packed seed carries. Where it can't be read now the seed would pass for another, so that is an error; SQLite calls a
  /// failing disk damage.
  private static func packedDigest(_ file: String) throws -> String? {
    try SQLiteFile.open(file, .readUnchanging) { try SeedStamp(reading: $0)?.fingerprint }
  }
}

/// A 64-bit hash (Fowler, Noll, Vo).
private struct FNV1a {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func feed(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { feed($0) } }

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
