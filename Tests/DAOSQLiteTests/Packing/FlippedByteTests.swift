import DAOCriteria
import Foundation
import TestCases
import Testing

@testable import DAOSQLite

/// One byte of a packed seed is another. What is said is the manifest's own word for it, before anybody else could find it.
@Suite("Each byte of a packed seed")
struct FlippedByteTests {
  let scratch: Scratch
  let seed: URL

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
  }

  private func pack(rows: Int, _ label: String, pageSize: Int = 4096) throws {
    let raw = scratch.url("raw.sqlite")
    try Items.make(raw, label, count: rows)
    try Items.run(raw, "PRAGMA page_size = \(pageSize); VACUUM")
    try SeedPacker(describedBy: [item], applicationID: 7, version: 3).pack(raw, to: seed)
  }

  /// What is said of the seed with one byte flipped.
  private func problem(at offset: Int, of whole: Data) throws -> DAOError.BootstrapProblem? {
    let file = try FileHandle(forWritingTo: seed)
    defer { try? file.close() }
    func write(_ byte: UInt8) throws {
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: Data([byte]))
    }
    try write(whole[offset] ^ UInt8(1 << (offset % 8)))
    defer { try? write(whole[offset]) }
    let manifest = try SeedManifest(of: seed)
    return DAOSQLiteTests.problem { try manifest.check(seed.path, of: seed.path) }
  }

  private func expectFound(_ problem: DAOError.BootstrapProblem?, at offset: Int) {
    #expect(problem?.kind == .manifest && problem?.message.contains("its digest is") == true, "byte \(offset): \(problem as Any)")
  }

  @Test func `bytes of a small one`() throws {
    try pack(rows: 20, "one", pageSize: 512)
    let whole = try Data(contentsOf: seed)
    #expect(whole.count < 4096)
    for offset in TestCases.some(whole.indices, every: 7) { expectFound(try problem(at: offset, of: whole), at: offset) }
    #expect(try Data(contentsOf: seed) == whole)
    try SeedManifest(of: seed).check(seed.path, of: seed.path)
  }

  @Test func `the edges of what the digest reads at once, and the last byte`() throws {
    try pack(rows: 600, String(repeating: "one ", count: 1000))
    let whole = try Data(contentsOf: seed)
    let piece = 1 << 20
    #expect(whole.count > 2 * piece)
    for offset in TestCases.some([piece - 1, piece, 2 * piece - 1, 2 * piece, whole.count - 1], every: 3) {
      expectFound(try problem(at: offset, of: whole), at: offset)
      // And by who uses it, in each way.
      var bytes = whole
      bytes[offset] ^= 1
      try bytes.write(to: seed)
      let store = scratch.url("store")
      let source = SeedSource.file(seed, requiresManifest: true)
      for seeded in [StoreDescription.file(store, seed: source), .inMemory(seed: source), .inPlace(source)] {
        expectFound(DAOSQLiteTests.problem { try seeded.open([item]) }, at: offset)
      }
      #expect(!FileManager.default.fileExists(atPath: store.path))
      try whole.write(to: seed)
    }
  }
}
