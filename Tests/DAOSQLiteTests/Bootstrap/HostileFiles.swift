import DAOCriteria
import DAOSQL
import Foundation
import GRDB

@testable import DAOSQLite

/// A folder with databases of every use, and one outside of it that nothing may reach.
struct HostileWorld {
  /// A database beside which something is put, and what is done with it.
  struct Use: Sendable {
    let name: String
    /// The database, by its name in the folder.
    let subject: String
    /// Whether SQLite would read a journal beside it.
    var readsJournal = true
    let run: @Sendable (HostileWorld) throws -> Void
  }

  /// What is put there.
  enum Thing: String, CaseIterable {
    /// A journal that names the victim as the super-journal of its transaction.
    case journal
    case pipe, link, danglingLink, folderLink, folder
  }

  let scratch: Scratch
  /// Names in the folder that are the same afterwards, whatever is used.
  var place: String { scratch.path + "/place" }
  private var outside: String { scratch.path + "/outside" }
  var victim: String { outside + "/victim" }

  func url(_ name: String) -> URL { URL(fileURLWithPath: place + "/" + name) }

  /// A world to make others of.
  init() throws {
    scratch = try Scratch()
    for folder in [place, outside, outside + "/kept"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Data("a person's".utf8).write(to: URL(fileURLWithPath: victim))
    try Data("another".utf8).write(to: URL(fileURLWithPath: outside + "/kept/file"))
    try Items.make(url("seed.sqlite"), "one")
    try Items.make(url("next.sqlite"), "two", version: 4)
    try Items.make(url("unfit.sqlite"), "old", schema: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, more TEXT)")
    try Items.make(url("saved.sqlite"), "saved")
    _ = try bootstrapper(url("seed.sqlite")).bootstrap(url("store.sqlite"), policy: .upgrade(conflicts: .keepMine))
    try FileManager.default.copyItem(at: url("store.sqlite"), to: url("wal.sqlite"))
    try Items.run(url("wal.sqlite"), "PRAGMA journal_mode = WAL")
    try SeedPacker(describedBy: [item], applicationID: 7, version: 3).pack(url("seed.sqlite"), to: url("packed.sqlite"))
  }

  /// A copy of a world.
  init(_ template: HostileWorld) throws {
    scratch = try Scratch()
    for name in ["place", "outside"] {
      try FileManager.default.copyItem(atPath: template.scratch.path + "/" + name, toPath: scratch.path + "/" + name)
    }
  }

  /// Puts a thing under a name.
  /// - Parameter pages: of the database beside it.
  func put(_ thing: Thing, as name: String, pages: Int = 0) throws {
    let path = place + "/" + name
    try? FileManager.default.removeItem(atPath: path)
    switch thing {
    case .journal: try Self.journal(naming: victim, pages: pages).write(to: URL(fileURLWithPath: path))
    case .pipe: guard mkfifo(path, 0o644) == 0 else { throw DAOError.unsupported("a pipe can't be made") }
    case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
    case .danglingLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside + "/missing")
    case .folderLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside + "/kept")
    case .folder:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("inside".utf8).write(to: URL(fileURLWithPath: path + "/inside"))
    }
  }

  /// A rollback journal without pages that names another file (sqlite.org/fileformat2.html, section 3, and `writeSuperJournal` of pager.c):
  /// after the header the number of the lock page, the name, its length, the sum of its bytes and the magic number.
  static func journal(naming path: String, pages: Int) -> Data {
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    // Magic, pages in the journal, nonce, pages of the database, sector size, page size.
    var bytes = magic + number(0) + number(7) + number(pages) + number(512) + number(4096)
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    let name = Array(path.utf8)
    bytes += number((1 << 30) / 4096 + 1) + name + number(name.count) + number(name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }) + magic
    return Data(bytes)
  }

  /// Everything outside, and what is in the folder under names that are not of a database's own files: with kind, mode and bytes.
  func others(than subject: String) -> [String: String] {
    var found: [String: String] = [:]
    for folder in [place, outside] {
      for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
        if folder == place, name.hasPrefix(subject) { continue }
        found[folder + "/" + name] = Self.state(folder + "/" + name)
      }
    }
    return found
  }

  /// What is found under a path, a link not followed: kind, mode, size and a digest of the bytes.
  static func state(_ path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let digest = status.st_mode & S_IFMT == S_IFREG ? try? FileDigest.of(file: path) : nil
    return "\(String(status.st_mode, radix: 8)) \(status.st_size) \(digest ?? "")"
  }

  /// Runs a body that may wait for ever at a pipe.
  /// - Returns: the body's error; nil where it has none.
  func run(_ body: @escaping () throws -> Void) throws -> (any Error)? {
    let (ended, outcome) = (DispatchSemaphore(value: 0), Outcome())
    let body = Unchecked(value: body)
    Thread.detachNewThread {
      do { try body.value() } catch { outcome.error = error }
      ended.signal()
    }
    if ended.wait(timeout: .now() + 60) == .timedOut {
      // Lets it go on.
      for name in try FileManager.default.contentsOfDirectory(atPath: place) {
        var status = stat()
        guard lstat(place + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { continue }
        FileHandle(forUpdatingAtPath: place + "/" + name)?.closeFile()
      }
      throw DAOError.unsupported("it waits for ever")
    }
    return outcome.error
  }

  private final class Outcome: @unchecked Sendable { var error: (any Error)? }
  private struct Unchecked<Value>: @unchecked Sendable { let value: Value }

  // MARK: Uses

  private static func use(
    _ name: String, _ subject: String, readsJournal: Bool = true, _ run: @escaping @Sendable (HostileWorld) throws -> Void
  ) -> Use {
    Use(name: name, subject: subject, readsJournal: readsJournal, run: run)
  }

  private func use(_ store: StoreDescription) throws { withExtendedLifetime(try store.open([item])) {} }

  /// Every way in which a database comes to be opened, read, written over or removed.
  static let uses: [Use] =
    ["store.sqlite", "wal.sqlite"].flatMap { store in
      [
        use("doctor", store) { _ = try StoreDoctor(describedBy: [item]).examine($0.url(store)) },
        use("requires a migration", store) { _ = try bootstrapper(nil).requiresMigration($0.url(store)) },
        use("rehearsal", store) { _ = try bootstrapper(nil, migration: .automatic).rehearseMigration($0.url(store)) },
        use("store", store) { try $0.use(.file($0.url(store), applicationID: 7)) },
        use("engine", store) { withExtendedLifetime(try SQLiteEngine(opening: $0.url(store))) {} },
        use("replaced", store) { _ = try bootstrapper($0.url("next.sqlite")).bootstrap($0.url(store), policy: .replace) },
        use("upgraded", store) {
          _ = try bootstrapper($0.url("next.sqlite")).bootstrap($0.url(store), policy: .upgrade(conflicts: .keepMine, adopting: true))
        },
        use("preview", store) { _ = try bootstrapper($0.url("next.sqlite")).previewUpgrade(of: $0.url(store), conflicts: .keepMine) },
        use("packer's source", store) {
          try SeedPacker(describedBy: [item], applicationID: 7).pack($0.url(store), to: $0.url(store + ".packed"))
        },
        use("destroyed", store) { try StoreDescription.file($0.url(store), applicationID: 7).destroy(removingBackups: true) },
        use("reset", store) {
          let made = StoreDescription.file($0.url(store), seed: .file($0.url("seed.sqlite")), applicationID: 7, version: 9)
          _ = try made.reset([item], within: .seconds(30)) {}
        },
        use("backup's source", store) { world in
          let engine = try SQLiteEngine(opening: world.url(store))
          try engine.backUp(to: world.url(store + ".saved"), within: .zero) { _, _ in }
        },
      ]
    } + [
      use("rehearsal", "unfit.sqlite") { _ = try bootstrapper(nil, migration: .automatic).rehearseMigration($0.url("unfit.sqlite")) },
      use("migrated", "unfit.sqlite") {
        try $0.use(.file($0.url("unfit.sqlite"), version: 9, migration: Migration(.drop("item", "more"))))
      },
      use("erased", "unfit.sqlite") {
        try $0.use(.file($0.url("unfit.sqlite"), mismatch: .eraseInRelease, applicationID: 7))
      },
      use("copied seed", "seed.sqlite") { _ = try bootstrapper($0.url("seed.sqlite")).bootstrap($0.url("seed.sqlite.store")) },
      use("newer seed", "next.sqlite") {
        try FileManager.default.copyItem(at: $0.url("store.sqlite"), to: $0.url("next.sqlite.store"))
        _ = try bootstrapper($0.url("next.sqlite")).bootstrap($0.url("next.sqlite.store"), policy: .replace)
      },
      use("seed in memory", "seed.sqlite") { try $0.use(.inMemory(seed: .file($0.url("seed.sqlite")))) },
      use("seed in place", "seed.sqlite") { try $0.use(.inPlace(.file($0.url("seed.sqlite")))) },
      use("unchanging engine", "seed.sqlite", readsJournal: false) {
        withExtendedLifetime(try SQLiteEngine(readingUnchanging: $0.url("seed.sqlite"))) {}
      },
      use("packer's target", "packed.sqlite") {
        try SeedPacker(describedBy: [item], applicationID: 7).pack($0.url("next.sqlite"), to: $0.url("packed.sqlite"))
      },
      use("packed seed", "packed.sqlite") {
        try $0.use(.file($0.url("packed.sqlite.store"), seed: .file($0.url("packed.sqlite"), requiresManifest: true)))
      },
      use("backup's target", "saved.sqlite") { world in
        let engine = try SQLiteEngine(readingUnchanging: world.url("seed.sqlite"))
        try engine.backUp(to: world.url("saved.sqlite"), within: .zero) { _, _ in }
      },
      use("new backup", "new.sqlite", readsJournal: false) { world in
        let engine = try SQLiteEngine(readingUnchanging: world.url("seed.sqlite"))
        try engine.backUp(to: world.url("new.sqlite"), within: .zero) { _, _ in }
      },
      use("new store", "new.sqlite", readsJournal: false) { _ = try bootstrapper($0.url("seed.sqlite")).bootstrap($0.url("new.sqlite")) },
      use("new seed", "new.sqlite", readsJournal: false) {
        try SeedPacker(describedBy: [item], applicationID: 7).pack($0.url("next.sqlite"), to: $0.url("new.sqlite"))
      },
      use("no store destroyed", "new.sqlite", readsJournal: false) {
        try StoreDescription.file($0.url("new.sqlite")).destroy(removingBackups: true)
      },
    ]

  /// The names that SQLite and the library keep for their own files beside a database.
  static let suffixes = [
    "-journal", "-wal", "-shm", ".lock", ".incoming", ".incoming-journal", ".incoming-wal", ".outgoing", ".outgoing-journal",
    ".before-migration", ".backup-0", ".backup-0-journal", ".erased-0", ".base-0123456789abcdef", ".manifest", ".manifest.incoming",
  ]
}
