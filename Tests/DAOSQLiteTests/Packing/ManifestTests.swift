import DAOCriteria
import Foundation
import Testing

@testable import DAOSQLite

/// A manifest that says otherwise than its seed. Each of its fields counts, and each of its bytes.
@Suite("Each field of a manifest")
struct ManifestTests {
  let scratch: Scratch
  let seed: URL
  private var manifest: URL { URL(fileURLWithPath: SeedManifest.path(of: seed.path)) }

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
    try Items.make(scratch.url("raw.sqlite"), "one", count: 20)
    try Items.run(scratch.url("raw.sqlite"), "PRAGMA page_size = 512; VACUUM")
    try SeedPacker(describedBy: [item], applicationID: 7, version: 3).pack(scratch.url("raw.sqlite"), to: seed)
  }

  /// What is said of the seed where its manifest is required, by each way of using it.
  private func problems() -> [DAOError.BootstrapProblem?] {
    let source = SeedSource.file(seed, requiresManifest: true)
    return [StoreDescription.file(scratch.url("store"), seed: source), .inMemory(seed: source), .inPlace(source)].map { store in
      problem { try store.open([item]) }
    }
  }

  @Test(
    arguments: [
      ("digest", "\"0123456789abcdef0123456789abcdef\""), ("size", "7"), ("schema", "\"0123456789abcdef0123456789abcdef\""),
      ("rowCounts", "{\"item\": 21}"), ("rowCounts", "{}"), ("rowCounts", "{\"item\": 20, \"other\": 0}"), ("applicationID", "8"),
      ("version", "4"), ("more", "1"),
    ])
  func `another value of any field is found and named`(field: String, value: String) throws {
    var fields = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any])
    fields[field] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
    try JSONSerialization.data(withJSONObject: fields).write(to: manifest)
    for problem in problems() {
      #expect(problem?.kind == .manifest, "\(field)")
      #expect(problem?.message.contains(field == "size" ? "bytes, not 7" : field) == true, "\(problem as Any)")
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.url("store").path))
  }

  @Test func `a flipped bit in any byte is found, or changes nothing that the manifest says`() throws {
    let (whole, said) = (try Data(contentsOf: manifest), try SeedManifest(of: seed))
    var found = 0
    for offset in whole.indices {
      var bytes = whole
      bytes[offset] ^= UInt8(1 << (offset % 8))
      try bytes.write(to: manifest)
      if (try? SeedManifest(of: seed)) == said { continue }
      found += 1
      #expect(
        problem { try StoreDescription.inPlace(.file(seed, requiresManifest: true)).open([item]) }?.kind == .manifest, "byte \(offset)")
    }
    // All but the blanks between its words.
    #expect(found > whole.count / 2)
  }

  @Test func `a person's own file with a manifest's name is not written over, whatever it is`() throws {
    let text = Data("{\"title\": \"a person's\"}".utf8)
    for name in ["seed.sqlite", "new.sqlite"] {
      let own = scratch.url(name + ".manifest")
      try text.write(to: own)
      let before = snapshot(scratch.path)
      let found = problem {
        try SeedPacker(describedBy: [item], applicationID: 7, version: 4).pack(scratch.url("raw.sqlite"), to: scratch.url(name))
      }
      #expect(found?.kind == .system && found?.path == own.path, "\(found as Any)")
      #expect(snapshot(scratch.path) == before)
    }
  }
}
