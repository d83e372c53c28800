import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

/// Files in every state, of which the doctor changes none.
@Suite struct DoctorFileTests {
  let scratch: Scratch
  let store: URL
  let doctor = StoreDoctor(describedBy: [item])

  init() throws {
    scratch = try Scratch()
    store = scratch.url("store.sqlite")
  }

  @Test func `a sound file has nothing to repair`() throws {
    try Items.make(store, "one")
    let report = try examined(store, doctor)
    #expect(report.findings.isEmpty && report.isHealthy && report.repairSQL.isEmpty, "\(report)")
    #expect(report.store == store)
    #expect(report.facts?.size == (try Files.status(store.path)?.size))
    #expect(report.facts?.version == 3 && report.facts?.applicationID == 7 && report.facts?.isWAL == false)
    #expect(report.facts?.rowCounts == ["item": 120])
    #expect(try examined(store).findings.isEmpty)
  }

  @Test func `a store that is open is examined beside its writers`() throws {
    let (engine, _) = try StoreDescription.file(store).open([item])
    try engine.write(atomic: true) { _ = try $0.rows(SQLStatement("INSERT INTO item (name) VALUES ('mine')")) }
    let report = try examined(store, doctor)
    #expect(report.isHealthy && report.facts?.isWAL == true && report.facts?.rowCounts == ["item": 1])
    try engine.write(atomic: true) { connection in
      _ = try connection.rows(SQLStatement("INSERT INTO item (name) VALUES ('not yet')"))
      #expect(try examined(store, doctor).facts?.rowCounts == ["item": 1])
    }
    #expect(try examined(store, doctor).facts?.rowCounts == ["item": 2])
  }

  #if os(Linux)
    /// The system drops all of a process's locks on a file when the process closes the file anywhere (fcntl(2)).
    @Test func `the locks of an open store stay`() throws {
      let (engine, _) = try StoreDescription.file(store).open([item])
      // While a read goes on there is a connection for sure.
      try engine.read(snapshot: true) { connection in
        _ = try connection.rows(SQLStatement("SELECT count(*) FROM item"))
        let locks = try Locks(on: store.path)
        let before = try locks.seen(until: { !$0.isEmpty })
        #expect(!before.isEmpty)
        _ = try doctor.examine(store)
        #expect(try locks.seen(until: before.isSubset).isSuperset(of: before))
      }
    }

    /// This process's locks on one file, as the system lists them.
    private struct Locks {
      private let file: String

      init(on path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw DAOError.unsupported("there is no file") }
        let (major, minor) = ((status.st_dev >> 8) & 0xFFF, (status.st_dev & 0xFF) | ((status.st_dev >> 12) & 0xFFF00))
        func hex(_ number: UInt) -> String { (number < 16 ? "0" : "") + String(number, radix: 16) }
        file = "\(getpid()) \(hex(major)):\(hex(minor)):\(status.st_ino)"
      }

      /// The kinds and ranges that some look has shown. One look leaves out some, where others' locks come and go meanwhile, and shows none
      /// that is not there.
      func seen(until isEnough: (Set<String>) -> Bool) throws -> Set<String> {
        var found: Set<String> = []
        var (line, capacity) = (nil as UnsafeMutablePointer<CChar>?, 0)
        defer { free(line) }
        for _ in 0..<10_000 {
          // Foundation takes the first piece for all of a file without a size.
          let list = try #require(fopen("/proc/locks", "r"))
          defer { fclose(list) }
          while getline(&line, &capacity, list) > 0, let text = line.map({ String(cString: $0) }) {
            // number: POSIX ADVISORY READ pid device:inode first last
            let words = text.split(whereSeparator: \.isWhitespace)
            guard words.count == 8, words[4...5].joined(separator: " ") == file else { continue }
            found.insert(words[1...].joined(separator: " "))
          }
          if isEnough(found) { break }
        }
        return found
      }
    }
  #endif

  @Test func `a store that was closed has no WAL afterwards either`() throws {
    do { _ = try StoreDescription.file(store).open([item]) }
    #expect(try everything(in: scratch.path).keys.sorted() == ["store.sqlite"])
    let report = try examined(store, doctor)
    #expect(report.isHealthy && report.facts?.isWAL == true)
  }

  /// The folders in which files were copied to be examined, and that nobody has locked: those of tests that run at the same time are.
  private static var copies: Set<String> {
    get throws {
      let temporary = FileManager.default.temporaryDirectory
      return Set(
        try FileManager.default.contentsOfDirectory(atPath: temporary.path).filter { name in
          guard name.hasPrefix(TemporaryFolder.mark), let folder = try? OpenFile(folder: temporary.appendingPathComponent(name).path) else {
            return false
          }
          return (try? folder.tryLock()) == true
        })
    }
  }

  /// What a killed writer leaves; and what is left where the WAL is copied without its index.
  @Test(arguments: [true, false]) func `a WAL that nobody has open is read`(hasIndex: Bool) throws {
    try Items.make(store, "one")
    let work = try Scratch()
    try FileManager.default.copyItem(at: store, to: work.url("work"))
    let queue = try DatabaseQueue(path: work.url("work").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
      try Items.insert("late", 20, into: db)
    }
    try FileManager.default.removeItem(at: store)
    for suffix in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
      try FileManager.default.copyItem(atPath: work.path + "/work" + suffix, toPath: store.path + suffix)
    }
    try queue.close()
    let before = try Self.copies
    let report = try examined(store, doctor)
    #expect(report.findings.isEmpty && report.facts?.rowCounts == ["item": 140], "\(report)")
    // One that another test has just made is not locked yet.
    var left = try Self.copies.subtracting(before)
    for _ in 0..<300 where !left.isEmpty {
      usleep(100_000)
      left = try Self.copies.intersection(left)
    }
    #expect(left.isEmpty)
  }

  @Test func `a journal of an interrupted writer is taken into account`() throws {
    try Items.make(store, "one", count: 400)
    let work = try Scratch()
    try FileManager.default.copyItem(at: store, to: work.url("work"))
    let queue = try DatabaseQueue(path: work.url("work").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA cache_size = 1; BEGIN; UPDATE item SET name = name || hex(randomblob(200)); DELETE FROM item WHERE id % 2")
      try FileManager.default.removeItem(at: store)
      for suffix in ["", "-journal"] { try FileManager.default.copyItem(atPath: work.path + "/work" + suffix, toPath: store.path + suffix) }
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    let report = try examined(store, doctor)
    #expect(report.kinds == [.interruptedWrite] && report.facts?.rowCounts == ["item": 400], "\(report)")
    // A journal that is done with is none.
    try Data(count: 512).write(to: URL(fileURLWithPath: store.path + "-journal"))
    #expect(try !examined(store, doctor).kinds.contains(.interruptedWrite))
  }

  /// SQLite would read the WAL into the file, and find nothing wrong.
  @Test func `a WAL of another file is found before anybody reads it`() throws {
    try Items.make(store, "old")
    try Items.addInWAL(store, "late")
    try FileManager.default.removeItem(at: store)
    try Items.make(scratch.url("new"), "new", count: 60)
    try FileManager.default.moveItem(at: scratch.url("new"), to: store)
    let report = try examined(store, doctor)
    #expect(report.kinds == [.foreignWAL] && !report.isHealthy && report.facts?.rowCounts == ["item": 60], "\(report)")
  }

  @Test func `what lies beside the store is told`() throws {
    try Items.make(store, "one")
    let beside = ["lock", "incoming", "incoming-journal", "outgoing"].map { store.path + "." + $0 }
    for path in beside { try Data("left".utf8).write(to: URL(fileURLWithPath: path)) }
    try FileManager.default.copyItem(atPath: store.path, toPath: store.path + ".backup-0")
    let report = try examined(store, doctor)
    #expect(report.kinds == [.leftover, .leftover, .leftover, .leftover, .backup] && report.isHealthy, "\(report)")
    for path in beside { #expect(report.findings.contains { $0.message.hasPrefix(URL(fileURLWithPath: path).lastPathComponent + " ") }) }
  }

  @Test func `older stores that were kept are told`() throws {
    try Items.make(store, "one")
    for name in [".before-migration", ".erased-0", ".backup-0"] {
      try FileManager.default.copyItem(atPath: store.path, toPath: store.path + name)
    }
    let report = try examined(store, doctor)
    #expect(report.kinds == [.backup, .backup, .backup] && report.isHealthy, "\(report)")
    for word in ["before a migration", "did not fit", "replaced"] {
      #expect(report.findings.contains { $0.message.contains(word) }, "\(report)")
    }
  }

  @Test func `what is no store is an error or a finding`() throws {
    #expect(problem { try StoreDoctor().examine(scratch.url("none")) }?.message == "there is no such store")
    #expect(try everything(in: scratch.path).isEmpty)
    #expect(problem { try StoreDoctor().examine(URL(fileURLWithPath: scratch.path)) }?.kind == .notAFile)
    #expect(problem { try StoreDoctor().examine(#require(URL(string: "https://example.com/a.sqlite"))) }?.kind == .notAFile)
    try Items.make(store, "one", count: 10)
    // A number of the schema's format that there is not.
    var strange = try Data(contentsOf: store)
    strange[47] = 132
    for bytes in [Data(), Data("SQLite format 3\0".utf8), Data(repeating: 65, count: 9000), strange] {
      try bytes.write(to: store)
      let report = try examined(store, doctor)
      #expect(report.kinds == [.notADatabase] && report.facts == nil && !report.isHealthy, "\(report)")
    }
  }

  @Test func `a file that ends too early is found with its pages`() throws {
    try Items.make(store, "one", count: 1000)
    let bytes = try Data(contentsOf: store)
    try bytes.prefix(bytes.count / 2).write(to: store)
    let report = try examined(store, doctor)
    #expect(report.findings.first?.severity == .damage, "\(report)")
    #expect(report.finding(.truncated) != nil || report.finding(.damage) != nil)
  }

  /// Flipped bytes and lost ends: whatever they do, it is a finding, and what SQLite's own check finds is found.
  @Test func `damaged files are examined to the end`() throws {
    try Items.make(
      store, "one", count: 500,
      schema: """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE INDEX names ON item (name)
        """)
    let sound = try Data(contentsOf: store)
    var random = RandomSource(seed: TestCases.seed)
    var found = 0
    for _ in 0..<150 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...40, using: &random) { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255) }
      if Bool.random() { bytes = bytes.prefix(Int.random(in: 1...bytes.count, using: &random)) }
      try bytes.write(to: store)
      let report: DoctorReport
      do { report = try examined(store, doctor) } catch let error as DAOError {
        // Bytes 18 and 19 may say that SQLite can't open the file for reading.
        guard case .bootstrap = error else { throw error }
        continue
      }
      let copy = scratch.url("copy")
      try bytes.write(to: copy)
      defer { for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) } }
      let lines = try? DatabaseQueue(path: copy.path).read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
      if lines != ["ok"] {
        found += 1
        #expect(!report.isHealthy, "\(lines ?? ["can't be opened"])\n\(report)\n\(bytes.base64EncodedString())")
      }
    }
    #expect(found > 50)
  }

  /// A file in WAL mode without a WAL is read without a lock, so it is read again where somebody wrote meanwhile.
  @Test func `writers that come and go are never taken for damage`() async throws {
    do { _ = try StoreDescription.file(store).open([item]) }
    let paths = StorePaths(store: store.path)
    let before = try StoreFiles(paths)
    #expect(try before.needsQuiet && StoreFiles(paths) == before)
    do {
      let (engine, _) = try StoreDescription.file(store).open([item])
      try engine.write(atomic: true) { _ = try $0.rows(SQLStatement("INSERT INTO item (name) VALUES ('new')")) }
    }
    #expect(try StoreFiles(paths) != before)
    let store = store
    let writer = Task.detached {
      while !Task.isCancelled {
        let (engine, _) = try StoreDescription.file(store).open([item])
        try engine.write(atomic: true) { connection in
          for _ in 0..<200 { _ = try connection.rows(SQLStatement("INSERT INTO item (name) VALUES (hex(randomblob(300)))")) }
          // As many as before: what is examined is not to grow faster than it is read.
          _ = try connection.rows(SQLStatement("DELETE FROM item WHERE id <= (SELECT max(id) - 200 FROM item)"))
        }
        await Task.yield()
      }
    }
    for _ in 0..<60 {
      do {
        let report = try doctor.examine(store)
        #expect(report.findings.allSatisfy { $0.kind == .leftover || $0.kind == .statistics }, "\(report)")
      } catch DAOError.bootstrap(let problem) { #expect(problem.kind == .locked, "\(problem)") }
    }
    writer.cancel()
    _ = await writer.result
  }

  #if os(Linux)
    @Test(.enabled(if: Mounted.isPossible, "needs the right to mount"))
    func `a store in a place that can only be read is examined`() throws {
      try Items.make(store, "one")
      let closed = scratch.url("closed")
      do { _ = try StoreDescription.file(closed).open([item]) }
      let mounted = try Mounted(scratch.path + "/mount", "size=4m")
      for url in [store, closed] { try FileManager.default.copyItem(at: url, to: mounted.url(url.lastPathComponent)) }
      try Items.addInWAL(store, "late")
      for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: store.path + suffix, toPath: mounted.url("wal").path + suffix) }
      try mounted.remount("ro")
      #expect(try examined(mounted.url("store.sqlite"), doctor).facts?.rowCounts == ["item": 120])
      #expect(try examined(mounted.url("closed"), doctor).facts?.rowCounts == ["item": 0])
      #expect(try examined(mounted.url("wal"), doctor).facts?.rowCounts == ["item": 140])
    }
  #endif
}
