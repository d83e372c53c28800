import DAOCriteria
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

/// A WAL that is cut, damaged or of another file, beside a file in WAL mode.
@Suite struct DoctorWALTests {
  private let scratch: Scratch
  private var store: URL { scratch.url("store.sqlite") }
  private let doctor = StoreDoctor(describedBy: [item])
  init() throws { scratch = try Scratch() }

  /// A file in WAL mode with three commits in its WAL.
  private func files(_ label: String, applicationID: Int32 = 7, pageSize: Int = 4096) throws -> (main: Data, wal: Data) {
    let work = try Scratch()
    let queue = try DatabaseQueue(path: work.url("work").path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA page_size = \(pageSize);
          PRAGMA application_id = \(applicationID);
          PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          """)
      try Items.insert(label, 20, into: db)
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      for round in 0..<3 {
        try db.inTransaction {
          try Items.insert("\(label) \(round)", 400, into: db); return .commit
        }
      }
      return (try Data(contentsOf: work.url("work")), try Data(contentsOf: work.url("work-wal")))
    }
  }

  private func kinds(_ main: Data, _ wal: Data) throws -> [DoctorReport.Kind] {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
    try main.write(to: store)
    try wal.write(to: URL(fileURLWithPath: store.path + "-wal"))
    return try examined(store, doctor).kinds
  }

  @Test func `one that is whole is nothing to tell`() throws {
    let (main, wal) = try files("a")
    #expect(try kinds(main, wal) == [])
    // What is behind the end of this generation is old.
    #expect(try kinds(main, wal + Data(count: 4096 + 24)) == [])
  }

  @Test func `one that is cut is suspected`() throws {
    let (main, wal) = try files("a")
    let frame = 4096 + 24
    for length in [1, 31, 40, 32 + 10, 32 + frame / 2, wal.count - 1, wal.count - frame / 2] {
      #expect(try kinds(main, wal.prefix(length)).contains(.interruptedWrite), "\(length)")
    }
    // After a commit, nothing shows; within one, the frames show.
    let ends = (0..<(wal.count - 32) / frame).filter { index in
      wal[wal.startIndex + 32 + index * frame + 4..<wal.startIndex + 32 + index * frame + 8].contains { $0 != 0 }
    }
    for count in Set(TestCases.some(1...(wal.count - 32) / frame, every: 3) + ends.map { $0 + 1 }) {
      let found = try kinds(main, wal.prefix(32 + count * frame))
      #expect(found == (ends.contains(count - 1) ? [] : [.interruptedWrite]), "\(count)")
    }
  }

  @Test func `damage before later commits is damage`() throws {
    let (main, wal) = try files("a")
    var random = RandomSource(seed: TestCases.seed)
    let frame = 4096 + 24
    let last = (wal.count - 32) / frame - 1
    for _ in 0..<TestCases.count(60, inSuite: 10) {
      var bytes = wal
      // In the first of three commits.
      bytes[wal.startIndex + Int.random(in: 32 + 24..<32 + frame, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      #expect(try kinds(main, bytes).contains(.damagedWAL))
      bytes = wal
      bytes[wal.startIndex + Int.random(in: 0..<32, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      #expect(try kinds(main, bytes).contains(.damagedWAL))
      // A power loss may leave the last commit so.
      bytes = wal
      bytes[wal.startIndex + 32 + last * frame + 24 + Int.random(in: 0..<4096, using: &random)] ^= 1
      #expect(try kinds(main, bytes).contains(.interruptedWrite))
    }
  }

  @Test func `one of another file is suspected`() throws {
    let (main, wal) = try files("a")
    #expect(try kinds(main, files("b", applicationID: 8).wal).contains(.foreignWAL))
    #expect(try kinds(main, files("b", pageSize: 1024).wal).contains(.foreignWAL))
    // Of this file, as it was before.
    try main.write(to: scratch.url("later"))
    try wal.write(to: scratch.url("later-wal"))
    let later = try DatabaseQueue(path: scratch.url("later").path)
    try later.writeWithoutTransaction { db in
      for round in 0..<8 { try db.execute(sql: "CREATE TABLE more\(round) (a)") }
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let grown = try Data(contentsOf: scratch.url("later"))
    try later.close()
    #expect(try kinds(grown, wal).contains(.foreignWAL))
  }

  /// The file's header, at 24, 40, 56 and 68, against that of the first page that the WAL brings.
  @Test(arguments: [
    (24, "the change counter"), (40, "the schema version"), (56, "text in UTF-8, and the file's is UTF-16le"), (68, "the application id 7"),
  ])
  func `each number of the header tells`(offset: Int, words: String) throws {
    let (main, wal) = try files("a")
    var other = main
    other[main.startIndex + offset + 3] = offset == 56 ? 2 : 0xFF
    try other.write(to: scratch.url("other"))
    try wal.write(to: scratch.url("other-wal"))
    let problem = try WriteAheadLog(scratch.url("other-wal").path, of: Array(other.prefix(100))).problem
    guard case .foreign(let reason)? = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    #expect(reason.contains(words), "\(reason)")
    #expect(try WriteAheadLog(scratch.url("other-wal").path, of: Array(main.prefix(100))).problem == nil)
  }

  @Test func `a first page that is none of a database is suspected`() throws {
    let (main, wal) = try files("a")
    var bytes = [UInt8](wal)
    let frame = 4096 + 24
    for start in stride(from: 32, to: bytes.count, by: frame) where bytes[start..<start + 4].elementsEqual([0, 0, 0, 1]) {
      bytes[start + 24] ^= 0xFF
    }
    try Data(Self.withSums(bytes, frame: frame)).write(to: scratch.url("other-wal"))
    let problem = try WriteAheadLog(scratch.url("other-wal").path, of: Array(main.prefix(100))).problem
    #expect(problem == .foreign("its first page is none of a database"))
  }

  /// A WAL with checksums that fit its bytes (sqlite.org/fileformat2.html, section 4.2).
  private static func withSums(_ bytes: [UInt8], frame: Int) -> [UInt8] {
    var (bytes, first, second) = (bytes, UInt32(0), UInt32(0))
    let isBigEndian = bytes[3] & 1 == 1
    func word(_ place: Int) -> UInt32 {
      let four = bytes[place..<place + 4]
      return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    func add(_ range: Range<Int>) {
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        first &+= word(place) &+ second
        second &+= word(place + 4) &+ first
      }
    }
    add(0..<24)
    for start in stride(from: 32, to: bytes.count, by: frame) {
      add(start..<start + 8)
      add(start + 24..<start + frame)
      for (index, sum) in [first, second].enumerated() {
        for byte in 0..<4 { bytes[start + 16 + index * 4 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - byte * 8)) }
      }
    }
    return bytes
  }

  /// Nothing in the WAL's bytes tells: it brings no first page.
  @Test func `one that makes a sound file damaged is suspected`() throws {
    let work = try Scratch()
    func write(_ name: String, _ sql: String...) throws -> (main: Data, wal: Data) {
      let queue = try DatabaseQueue(path: work.url(name).path)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        try db.execute(sql: sql[0] + "; PRAGMA wal_checkpoint(TRUNCATE)")
        if sql.count > 1 { try db.execute(sql: sql[1]) }
        return (try Data(contentsOf: work.url(name)), (try? Data(contentsOf: work.url(name + "-wal"))) ?? Data())
      }
    }
    let table = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    let main = try write(
      "main",
      """
      CREATE TABLE first (a UNIQUE, b UNIQUE); \(table);
      INSERT INTO first VALUES (1, 2);
      INSERT INTO item VALUES (1, 'a')
      """
    ).main
    let wal = try write(
      "other", "\(table); CREATE TABLE x (a); CREATE TABLE y (a); INSERT INTO item VALUES (1, 'a')",
      "INSERT INTO item VALUES (2, 'b'); INSERT INTO x VALUES (1); INSERT INTO y VALUES (1)"
    ).wal
    #expect(!wal.isEmpty)
    let found = try kinds(main, wal)
    #expect(found.contains(.foreignWAL) && found.contains(.damage), "\(found)")
  }

  /// A WAL without a first page, beside the file that it is of, and beside one with more pages.
  @Test func `one without a first page tells by the number of pages`() throws {
    func files(_ name: String, tables: Int) throws -> (main: Data, wal: Data) {
      let queue = try DatabaseQueue(path: scratch.url(name).path)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            PRAGMA journal_mode = WAL;
            PRAGMA wal_autocheckpoint = 0;
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)
            """)
        for number in 0..<tables { try db.execute(sql: "CREATE TABLE x\(number) (a)") }
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO item VALUES (1, 'a')")
        return (try Data(contentsOf: scratch.url(name)), try Data(contentsOf: scratch.url(name + "-wal")))
      }
    }
    let (small, large) = (try files("small", tables: 1), try files("large", tables: 5))
    #expect(try kinds(small.main, small.wal) == [] && kinds(large.main, large.wal) == [])
    #expect(try kinds(small.main, large.wal).contains(.foreignWAL) && kinds(large.main, small.wal).contains(.foreignWAL))
    // Somebody has appended to the file: SQLite goes by its bytes then.
    try large.wal.write(to: scratch.url("log"))
    func problem(_ bytes: Int) throws -> WriteAheadLog.Problem? {
      try WriteAheadLog(scratch.url("log").path, of: Array(small.main.prefix(100)), size: Int64(bytes)).problem
    }
    #expect(try problem(small.main.count) == .foreign("it leaves 7 pages without a first one that says so, and the file has 3"))
    #expect(try problem(large.main.count) == nil)
    // An old writer leaves the header's number behind.
    var old = Array(small.main.prefix(100))
    old[95] ^= 1
    #expect(try WriteAheadLog(scratch.url("log").path, of: old, size: 1).problem == nil)
  }

  /// Random writers, who let a file grow and shrink, take back what they did, and fold the WAL in by every mode with readers in the way.
  @Test(arguments: TestCases.some(0..<12, every: 4)) func `no real one is suspected`(round: Int) throws {
    var random = RandomSource(seed: TestCases.seed &+ UInt64(round))
    let path = scratch.url("real").path
    var holding = Configuration()
    holding.allowsUnsafeTransactions = true
    let (writer, reader) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path, configuration: holding))
    try writer.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA page_size = 1024; PRAGMA auto_vacuum = \(round % 3);
          PRAGMA journal_mode = WAL;
          PRAGMA wal_autocheckpoint = \(round % 2 * 20);
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          """)
    }
    // What a reader is in the way of is left undone.
    func write(_ sql: String) throws {
      try writer.writeWithoutTransaction { db in
        do { try db.execute(sql: sql) } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
          if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        }
      }
    }
    func hold(_ isHeld: Bool) throws {
      try reader.writeWithoutTransaction { db in
        if db.isInsideTransaction { try db.execute(sql: "COMMIT") }
        if isHeld { try db.execute(sql: "BEGIN; SELECT count(*) FROM item") }
      }
    }
    /// Expects nothing to be suspected.
    /// - Returns: whether there is a WAL without a first page.
    func expectNothing(after sql: String) throws -> Bool {
      let main = try Data(contentsOf: URL(fileURLWithPath: path))
      guard let wal = try? Data(contentsOf: URL(fileURLWithPath: path + "-wal")), !wal.isEmpty, main.count > 100 else { return false }
      try wal.write(to: scratch.url("log"))
      let found = try WriteAheadLog(scratch.url("log").path, of: Array(main.prefix(100)), size: Int64(main.count)).problem
      #expect(found == nil, "after \(sql)")
      let frames = stride(from: 32, to: wal.count - 8, by: 1024 + 24).filter { wal[$0 + 8..<$0 + 16] == wal[16..<24] }
      return !frames.contains { wal[$0..<$0 + 4].elementsEqual([0, 0, 0, 1]) }
    }
    for step in 0..<120 {
      let count = Int.random(in: 1...40, using: &random)
      let fill = """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO item (name) SELECT hex(randomblob(200)) FROM n
        """
      let sql =
        switch Int.random(in: 0..<12, using: &random) {
        case 0...1: fill
        case 2...4: "UPDATE item SET name = upper(name) WHERE id % 7 = \(step % 7)"
        case 5: "DELETE FROM item WHERE id % 3 = \(step % 3)"
        case 6:
          """
          SAVEPOINT s; \(fill); ROLLBACK TO s;
          UPDATE item SET name = lower(name) WHERE id % 5 = 1; RELEASE s
          """
        case 7: "BEGIN; \(fill); ROLLBACK"
        case 8: round % 3 == 2 ? "PRAGMA incremental_vacuum" : "VACUUM"
        case 9: "BEGIN; \(fill); DELETE FROM item WHERE id > 20; COMMIT"
        default: "PRAGMA wal_checkpoint(\(["PASSIVE", "FULL", "RESTART", "TRUNCATE"].randomElement(using: &random) ?? "FULL"))"
        }
      try write(sql)
      try hold(step % 4 == 0)
      _ = try expectNothing(after: sql)
    }
    // A commit that neither grows nor shrinks the file leaves its first page alone.
    try hold(false)
    try write("INSERT INTO item (name) VALUES ('abc'); PRAGMA wal_checkpoint(TRUNCATE)")
    try write("UPDATE item SET name = 'xyz' WHERE name = 'abc'")
    #expect(try expectNothing(after: "an update"))
    try reader.close()
    try writer.close()
  }
}
