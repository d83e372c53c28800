import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

/// Seeds that are made ready to be shipped, and manifests that are required.
@Suite("Seed packing")
struct SeedPackerTests {
  let scratch: Scratch
  let source: URL
  let seed: URL

  static let page = EntityDescription(
    "page", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("title", .text, searchable: true),
      Attribute("parent", .integer, optional: true, references: ForeignKey(table: "page", column: "id")),
    ], indexes: [Index(on: "parent")])

  init() throws {
    scratch = try Scratch()
    source = scratch.url("source.sqlite")
    seed = scratch.url("out/seed.sqlite")
    try make(source)
  }

  private func make(_ url: URL, _ sql: String = "", rows: Int = 200) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      for statement in try SchemaSQL.statements(for: [Self.page]) { try db.execute(sql: statement) }
      for id in 1...rows { try db.execute(sql: "INSERT INTO page VALUES (?, ?, ?)", arguments: [id, "page \(id)", id > 1 ? id / 2 : nil]) }
      // Pages that VACUUM takes back.
      try db.execute(
        sql: """
          CREATE TABLE junk (x);
          INSERT INTO junk VALUES (zeroblob(100000));
          DROP TABLE junk; \(sql)
          """)
    }
    try queue.close()
  }

  private func change(_ url: URL, _ sql: String) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private var packer: SeedPacker { SeedPacker(describedBy: [Self.page], applicationID: 77, version: 3) }

  private func rows(_ url: URL, _ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    return try queue.read { db in try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map(\.stored.description).joined(separator: " ") }
    }
  }

  @Test func `a seed is small, has statistics and its numbers, and its manifest beside it; the source stays as it is`() throws {
    let before = snapshot(scratch.path)
    let manifest = try packer.pack(source, to: seed)
    #expect(snapshot(scratch.path).filter { before.keys.contains($0.key) } == before)
    #expect(snapshot(scratch.path + "/out").keys.sorted() == ["seed.sqlite", "seed.sqlite.manifest"])
    #expect(try SeedManifest(of: seed) == manifest)
    #expect(manifest.rowCounts == ["page": 200])
    #expect(manifest.applicationID == 77 && manifest.version == 3)
    #expect(manifest.size == Int64(try Data(contentsOf: seed).count))
    #expect(manifest.size < Int64(try Data(contentsOf: source).count) - 90_000)
    let header = try Seed(seed.path).header
    #expect(!header.isWAL && header.applicationID == 77 && header.userVersion == 3)
    #expect(try rows(seed, "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'page'") == ["1"])
    #expect(try rows(seed, "SELECT count(*) FROM page_search('page')") == ["200"])
    let report = try StoreDoctor(describedBy: [Self.page]).examine(seed)
    #expect(report.findings.isEmpty, "\(report)")
  }

  @Test func `rows with keys that stores give to their users are refused, or allowed by name`() throws {
    try change(
      source,
      """
      UPDATE page SET id = 1099511627776 WHERE id = 200;
      UPDATE page SET id = 1099511627775 WHERE id = 199
      """)
    do {
      try packer.pack(source, to: seed)
      Issue.record("it was packed")
    } catch SeedPacker.Failure.unsound(let findings) {
      #expect(findings.map(\.kind) == [.userKeys] && findings[0].entity == "page" && findings[0].attribute == "id" && findings[0].rows == 1)
    }
    try SeedPacker(describedBy: [Self.page], allowing: [.userKeys]).pack(source, to: seed)
  }

  @Test func `the same input makes the same bytes; other rows another seed, though every counter of the header is the same`() throws {
    try packer.pack(source, to: seed)
    let first = snapshot(scratch.path + "/out")
    try packer.pack(source, to: seed)
    #expect(snapshot(scratch.path + "/out") == first)
    // Of a seed, the same seed.
    let again = scratch.url("out/again.sqlite")
    try packer.pack(seed, to: again)
    #expect(try Data(contentsOf: again) == Data(contentsOf: seed))

    let fingerprint = try Seed(seed.path).fingerprint
    let header = try Seed(seed.path).header.identity
    let other = scratch.url("other.sqlite")
    try make(other, "UPDATE page SET title = 'other 9' WHERE id = 9")
    let otherSeed = scratch.url("out/other.sqlite")
    let manifest = try packer.pack(other, to: otherSeed)
    #expect(try Seed(otherSeed.path).header.identity == header)
    #expect(try Seed(otherSeed.path).fingerprint != fingerprint)
    #expect(try manifest.schema == SeedManifest(of: seed).schema)
    #expect(try manifest.digest != SeedManifest(of: seed).digest)

    // What is changed afterwards is told apart by its header.
    try change(otherSeed, "UPDATE page SET title = 'page 9' WHERE id = 9")
    #expect(try Seed(otherSeed.path).fingerprint != Seed(seed.path).fingerprint)
  }

  @Test func `the last commits of a WAL are folded in, of a database that is open too`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    let pool = try DatabasePool(path: source.path, configuration: configuration)
    try pool.write { try $0.execute(sql: "INSERT INTO page VALUES (900, 'in the WAL', NULL)") }
    let before = snapshot(scratch.path)
    #expect(try packer.pack(source, to: seed).rowCounts == ["page": 201])
    #expect(snapshot(scratch.path).filter { before.keys.contains($0.key) } == before)
    try pool.close()
    // And of one that was closed in WAL mode.
    let closed = scratch.url("closed.sqlite")
    try Data(contentsOf: source).write(to: closed)
    #expect(try packer.pack(closed, to: seed).rowCounts == ["page": 201])
  }

  @Test func `what a doctor finds is refused, all of it, and the earlier seed stays`() throws {
    try packer.pack(source, to: seed)
    let before = snapshot(scratch.path + "/out")
    try change(
      source,
      """
      PRAGMA foreign_keys = OFF;
      UPDATE page SET parent = 7000 WHERE id = 5;
      UPDATE page SET title = x'00ff' WHERE id = 6;
      DROP INDEX page_on_parent
      """)
    do {
      try packer.pack(source, to: seed)
      Issue.record("an unsound seed was packed")
    } catch SeedPacker.Failure.unsound(let findings) {
      #expect(Set(findings.map(\.kind)).isSuperset(of: [.foreignKey, .unreadableValue, .drift]), "\(findings)")
      #expect(!"\(SeedPacker.Failure.unsound(findings))".isEmpty)
    }
    #expect(snapshot(scratch.path + "/out") == before)

    let damaged = scratch.url("damaged.sqlite")
    var bytes = try Data(contentsOf: source)
    for offset in 4096..<bytes.count / 2 where offset % 3 == 0 { bytes[offset] = 0xA5 }
    try bytes.write(to: damaged)
    #expect(throws: (any Error).self) { try SeedPacker().pack(damaged, to: seed) }
    #expect(snapshot(scratch.path + "/out") == before)
    #expect(throws: DAOError.self) { try packer.pack(scratch.url("nothing"), to: seed) }
    #expect(snapshot(scratch.path + "/out") == before)
  }

  @Test func `never over the database itself; what lay beside an earlier seed goes with it`() throws {
    let before = try Data(contentsOf: source)
    #expect(problem { try packer.pack(source, to: source) } == .system)
    let link = scratch.url("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: source)
    #expect(problem { try packer.pack(source, to: link) } == .system)
    // Nor where its WAL or journal would be, or as its manifest would be.
    for name in ["source.sqlite-wal", "source.sqlite-journal"] {
      #expect(problem { try packer.pack(source, to: scratch.url(name)) } == .system)
    }
    for (named, name) in [("x.manifest", "x"), ("y-wal", "y"), ("z.incoming", "z")] {
      try FileManager.default.copyItem(at: source, to: scratch.url(named))
      #expect(problem { try packer.pack(scratch.url(named), to: scratch.url(name)) } == .system)
      #expect(try Data(contentsOf: scratch.url(named)) == before)
      #expect(!FileManager.default.fileExists(atPath: scratch.url(name).path))
    }
    #expect(try Data(contentsOf: source) == before)

    // What can't be replaced is found before anything is.
    try packer.pack(source, to: seed)
    let manifest = URL(fileURLWithPath: seed.path + ".manifest")
    try FileManager.default.removeItem(at: manifest)
    try FileManager.default.createDirectory(at: manifest, withIntermediateDirectories: false)
    let packed = try Data(contentsOf: seed)
    try change(source, "UPDATE page SET title = 'another' WHERE id = 9")
    #expect(problem { try packer.pack(source, to: seed) } == .notAFile)
    #expect(try Data(contentsOf: seed) == packed)
    try FileManager.default.removeItem(at: manifest)

    try Items.run(seed, "PRAGMA journal_mode = WAL")
    try Items.make(scratch.url("gone"), "gone")
    try Items.addInWAL(scratch.url("gone"), "late")
    try FileManager.default.copyItem(at: scratch.url("gone-wal"), to: URL(fileURLWithPath: seed.path + "-wal"))
    try packer.pack(source, to: seed)
    #expect(snapshot(scratch.path + "/out").keys.sorted() == ["seed.sqlite", "seed.sqlite.manifest"])
    #expect(try use(seed).outcome == .copied)
  }

  @Test func `never over a store, whether or not it is open, nor over what is no database`() throws {
    try packer.pack(source, to: seed)
    let store = scratch.url("store.sqlite")
    _ = try StoreBootstrapper(seed: .file(seed), entities: [Self.page]).bootstrap(store)
    let text = scratch.url("notes.txt")
    try Data("a person's".utf8).write(to: text)
    // Of whatever lay there before.
    try Data("{}".utf8).write(to: URL(fileURLWithPath: store.path + ".manifest"))
    let before = snapshot(scratch.path)
    #expect(problem { try packer.pack(source, to: store) } == .system)
    #expect(problem { try packer.pack(source, to: text) } == .notADatabase)
    #expect(snapshot(scratch.path) == before)
    // A store that was made from its entities says nothing of a seed.
    let own = scratch.url("own.sqlite")
    let engine = try StoreDescription.file(own).open([Self.page]).engine
    #expect(problem { try packer.pack(source, to: own) } == .system)
    withExtendedLifetime(engine) {}
    #expect(!FileManager.default.fileExists(atPath: own.path + ".manifest"))
    // Nor is a seed replaced that somebody reads.
    let reader = try SQLiteFile(seed.path, .read)
    let packed = try Data(contentsOf: seed)
    try change(source, "UPDATE page SET title = 'another' WHERE id = 9")
    try reader.run { db in
      try db.run("BEGIN")
      _ = try db.bareRows("SELECT count(*) FROM page") { $0.integer(0) }
      #expect(problem { try packer.pack(source, to: seed) } == .locked)
      try db.run("ROLLBACK")
    }
    try reader.close()
    #expect(try Data(contentsOf: seed) == packed)
    try packer.pack(source, to: seed)
    #expect(try Data(contentsOf: seed) != packed)
  }

  @Test(arguments: [".incoming", ".manifest.incoming"])
  func `never over a person's own file under the name of a draft`(mark: String) throws {
    try packer.pack(source, to: seed)
    let taken = URL(fileURLWithPath: seed.path + mark)
    try Data("{ \"a person's\": 1 }".utf8).write(to: taken)
    let before = snapshot(scratch.path)
    #expect(problem { try packer.pack(source, to: seed) } == .system)
    #expect(snapshot(scratch.path) == before)
    // What a killed packer has left goes.
    let whole = try Data(contentsOf: mark == ".incoming" ? seed : URL(fileURLWithPath: seed.path + ".manifest"))
    for count in [0, 5, 16, whole.count] {
      try whole.prefix(count).write(to: taken)
      try packer.pack(source, to: seed)
      #expect(snapshot(scratch.path + "/out").keys.sorted() == ["seed.sqlite", "seed.sqlite.manifest"])
    }
  }

  @Test func `a kind of finding is allowed by name`() throws {
    try change(source, "DROP INDEX page_on_parent")
    #expect(throws: SeedPacker.Failure.self) { try SeedPacker().pack(source, to: seed) }
    #expect(try SeedPacker(allowing: [.missingIndex]).pack(source, to: seed).rowCounts == ["page": 200])
  }

  @Test func `a store that was made from a seed is packed without its stamp; its numbers stay where none are given`() throws {
    try packer.pack(source, to: seed)
    let store = scratch.url("store.sqlite")
    _ = try StoreBootstrapper(seed: .file(seed), entities: [Self.page]).bootstrap(store)
    let again = scratch.url("out/again.sqlite")
    let manifest = try SeedPacker(describedBy: [Self.page]).pack(store, to: again)
    #expect(manifest.applicationID == 77 && manifest.version == 3)
    #expect(try Data(contentsOf: again) == Data(contentsOf: seed))
  }

  // MARK: The manifest is required

  private func use(_ seed: URL, _ store: String = "store.sqlite", policy: SeedPolicy = .copyIfMissing) throws -> BootstrapReport {
    try StoreBootstrapper(seed: .file(seed, requiresManifest: true), entities: [Self.page]).bootstrap(scratch.url(store), policy: policy)
  }

  private func problem(_ body: () throws -> some Any) -> DAOError.BootstrapProblem.Kind? {
    do { _ = try body() } catch DAOError.bootstrap(let problem) { return problem.kind } catch { Issue.record("\(error)") }
    return nil
  }

  @Test func `with its manifest a seed is used as any other; without, with another's or a broken one it is not`() throws {
    try packer.pack(source, to: seed)
    #expect(try use(seed).outcome == .copied)
    let (engine, report) = try StoreDescription.inMemory(seed: .file(seed, requiresManifest: true)).open([Self.page])
    withExtendedLifetime(engine) { #expect(report.outcome == .loaded) }
    let (inPlace, placed) = try StoreDescription.inPlace(.file(seed, requiresManifest: true)).open([Self.page])
    withExtendedLifetime(inPlace) { #expect(placed.outcome == .inPlace) }

    let manifest = scratch.url("out/seed.sqlite.manifest")
    let whole = try Data(contentsOf: manifest)
    let other = scratch.url("out/other.sqlite")
    try make(scratch.url("longer"), rows: 900)
    try packer.pack(scratch.url("longer"), to: other)
    for bytes in [Data(), Data("{}".utf8), whole.prefix(40), try Data(contentsOf: scratch.url("out/other.sqlite.manifest")), nil] {
      try? FileManager.default.removeItem(at: manifest)
      try bytes?.write(to: manifest)
      #expect(problem { try use(seed, "next") } == .manifest)
      #expect(problem { try StoreDescription.inMemory(seed: .file(seed, requiresManifest: true)).open([Self.page]) } == .manifest)
      #expect(problem { try StoreDescription.inPlace(.file(seed, requiresManifest: true)).open([Self.page]) } == .manifest)
    }
    #expect(snapshot(scratch.path).keys.filter { $0.hasPrefix("next") }.isEmpty)
    #expect(try StoreBootstrapper(seed: .file(seed), entities: [Self.page]).bootstrap(scratch.url("next")).outcome == .copied)
  }

  @Test func `a flipped byte of a seed is found, however it is used`() throws {
    try packer.pack(source, to: seed)
    let whole = try Data(contentsOf: seed)
    var random = RandomSource(seed: TestCases.seed)
    for number in 0..<60 {
      let offset = number < 20 ? number * 5 : random.below(whole.count)
      var bytes = whole
      bytes[offset] ^= UInt8(1 << (number % 8))
      try bytes.write(to: seed)
      for use in 0..<3 {
        do {
          switch use {
          case 0: _ = try self.use(seed)
          case 1: _ = try StoreDescription.inMemory(seed: .file(seed, requiresManifest: true)).open([Self.page])
          default: _ = try StoreDescription.inPlace(.file(seed, requiresManifest: true)).open([Self.page])
          }
          Issue.record("byte \(offset) was flipped, and use \(use) did not see it")
        } catch DAOError.bootstrap {}
      }
      #expect(!FileManager.default.fileExists(atPath: scratch.url("store.sqlite").path))
    }
  }

  @Test func `a newer packed seed is merged, and one with a flipped byte is not`() throws {
    try packer.pack(source, to: seed)
    let policy = SeedPolicy.upgrade(conflicts: .keepMine)
    #expect(try use(seed, policy: policy).outcome == .copied)
    try change(source, "UPDATE page SET title = 'other 9' WHERE id = 9")
    try packer.pack(source, to: seed)
    let whole = try Data(contentsOf: seed)
    var bytes = whole
    bytes[bytes.count - 2000] ^= 4
    try bytes.write(to: seed)
    #expect(problem { try use(seed, policy: policy) } == .manifest)
    #expect(try rows(scratch.url("store.sqlite"), "SELECT title FROM page WHERE id = 9") == ["'page 9'"])
    try whole.write(to: seed)
    guard case .upgraded = try use(seed, policy: policy).outcome else { return #expect(Bool(false)) }
    #expect(try rows(scratch.url("store.sqlite"), "SELECT title FROM page WHERE id = 9") == ["'other 9'"])
    guard case .reused = try use(seed, policy: policy).outcome else { return #expect(Bool(false)) }
  }
}
