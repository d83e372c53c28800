import CriteriaTesting
import DAOKit
import Foundation
import GRDB
import Testing

@Suite("Saving a store while it is in use")
struct BackupTests {
  let folder: StoreFolder
  let factory: DAOFactory
  var zones: RuntimeDAO<Zone> { factory.runtimeDAO(Zone.self) }
  let texts = Note.samples.map { Note($0.title, $0.body) }
  struct Stop: Error {}

  init() throws {
    folder = try StoreFolder()
    factory = try DAOFactory(store: .file(folder.file("store")), entities: Zone.self)
    try zones.insert(Zone.samples)
  }

  private func header(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.file(name)).prefix(100)) }

  @Test func `the copy has all rows and numbers, stands alone, and is not in WAL mode`() async throws {
    let queue = try DatabaseQueue(path: folder.file("store").path)
    try await queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA user_version = 5;
          PRAGMA application_id = 77
          """)
    }
    try queue.close()
    try await factory.backUp(to: folder.file("a/b/saved"))
    #expect(try folder.zones("a/b/saved") == Zone.samples.map(\.name))
    let bytes = try header("a/b/saved")
    #expect(bytes[18] == 1 && bytes[19] == 1 && bytes[63] == 5 && bytes[71] == 77)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b").path) == ["saved"])
    #expect(folder.openFiles?.filter { $0.contains("saved") } ?? [] == [])
    // It is a store.
    let again = try DAOFactory(store: .file(folder.file("a/b/saved")), entities: Zone.self)
    #expect(try await again.runtimeDAO(Zone.self).findAll() == zones.findAll())
  }

  @Test(arguments: [true, false])
  func `a store in memory, and one with a search table`(_ inMemory: Bool) throws {
    let factory = try DAOFactory(store: inMemory ? .inMemory() : .file(folder.file("notes")), entities: Folder.self, Note.self)
    let notes = factory.runtimeDAO(Note.self)
    try notes.insert(texts)
    var told: [(Int64, Int64)] = []
    try factory.backUp(to: folder.file("saved")) { told.append(($0, $1)) }
    let size = try FileManager.default.attributesOfItem(atPath: folder.file("saved").path)[.size] as? Int64
    #expect(told.last?.0 == size && told.last?.1 == size)
    let again = try DAOFactory(store: .file(folder.file("saved")), entities: Folder.self, Note.self)
    #expect(try again.runtimeDAO(Note.self).count() == texts.count)
  }

  @Test func `one snapshot, whatever is written meanwhile; each commit is in it whole or not at all`() async throws {
    // Each commit adds two rows of one name, in a file of many megabytes.
    try await zones.insert((0..<200).map { Zone("filler \($0)", 0, String(repeating: "x", count: 60_000)) })
    let factory = factory
    let writer = Task.detached {
      var count = 0
      while !Task.isCancelled {
        // With await: a task that is busy without end would keep a thread from all other tests.
        do {
          try await factory.write { [count] session in
            try session.runtimeDAO(Zone.self).insert([Zone("pair \(count) a", 0, "p"), Zone("pair \(count) b", 0, "p")])
          }
          count += 1
        } catch is CancellationError {}
      }
      return count
    }
    let counts = Told()
    for number in 0..<5 {
      try await factory.backUp(to: folder.file("saved \(number)")) { copied, total in
        #expect(copied > 0 && copied <= total)
        counts.add(copied)
      }
      let pairs = try folder.zones("saved \(number)").filter { $0.hasPrefix("pair") }
      #expect(pairs.count.isMultiple(of: 2))
    }
    writer.cancel()
    #expect(try await writer.value > 0)
    #expect(counts.all.count >= 5 * 3)
  }

  @Test func `an error of the progress, and a cancelled task, end it and leave nothing`() async throws {
    try await zones.insert((0..<200).map { Zone("filler \($0)", 0, String(repeating: "x", count: 60_000)) })
    try await factory.backUp(to: folder.file("older"))
    let before = try folder.names.filter { !$0.hasPrefix("store") }
    for name in ["saved", "new/saved", "older"] {
      #expect(throws: Stop.self) { try factory.backUp(to: folder.file(name)) { _, _ in throw Stop() } }
      let (saved, file) = (factory, folder.file(name))
      let task = Task {
        try await saved.backUp(to: file) { _, _ in
          withUnsafeCurrentTask { #expect($0 == nil) }
          Thread.sleep(forTimeInterval: 0.05)
        }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try folder.names.filter { !$0.hasPrefix("store") } == before)
    }
    #expect(try folder.zones("older").count == 206)
    #expect(try await zones.count() == 206)
    try await factory.close()
    #expect(folder.openFiles ?? [] == [])
  }

  @Test func `a store that is closed meanwhile ends it`() throws {
    try zones.insert((0..<200).map { Zone("filler \($0)", 0, String(repeating: "x", count: 60_000)) })
    let factory = factory
    var count = 0
    let found = closed {
      try factory.backUp(to: folder.file("saved")) { _, _ in
        count += 1
        if count == 1 { try factory.close() }
      }
    }
    #expect(found != nil && count == 1)
    #expect(try folder.names == ["store"])
    #expect(folder.openFiles ?? [] == [])
  }

  @Test func `never over the store itself, nor over what belongs to it`() throws {
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("store"))
    try FileManager.default.createSymbolicLink(at: folder.file("way"), withDestinationURL: folder.url)
    try FileManager.default.linkItem(at: folder.file("store"), to: folder.file("second name"))
    for name in [
      "store", "link", "second name", "way/store", "./store", "store-wal", "store-shm", "store-journal", "store.lock", "store.incoming",
      "store.outgoing", "store.incoming-wal", "store.backup-12", "store.erased-12", "way/store-journal",
    ] {
      #expect(misuse { try factory.backUp(to: folder.file(name)) } != nil, "\(name)")
    }
    #expect(try zones.count() == 6)
    try zones.insert(Zone("after", 0))
    #expect(fileProblem { try factory.backUp(to: folder.url) }?.kind == .notAFile)
  }

  @Test func `over an older backup with a WAL of its own, and never over a store in use or another file`() throws {
    let other = try DAOFactory(store: .file(folder.file("older")), entities: Zone.self)
    try other.runtimeDAO(Zone.self).insert(Zone("older", 0))
    #expect(fileProblem { try factory.backUp(to: folder.file("older"), within: .milliseconds(30)) }?.kind == .locked)
    try other.runtimeDAO(Zone.self).insert(Zone("still there", 0))
    #expect(try other.runtimeDAO(Zone.self).count() == 2)
    // What a writer left that was ended: the last commits in the WAL.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.file("older" + suffix).path, toPath: folder.file("left" + suffix).path)
    }
    try factory.backUp(to: folder.file("left"))
    #expect(try folder.names.filter { $0.hasPrefix("left") } == ["left"])
    #expect(try folder.zones("left") == Zone.samples.map(\.name))
    // A WAL that lies there alone is not played into it (E15).
    try FileManager.default.copyItem(atPath: folder.file("older-wal").path, toPath: folder.file("alone-wal").path)
    try factory.backUp(to: folder.file("alone"))
    #expect(try folder.zones("alone") == Zone.samples.map(\.name))

    try Data("a letter, and no database".utf8).write(to: folder.file("letter"))
    let problem = fileProblem { try factory.backUp(to: folder.file("letter")) { _, _ in Issue.record("it was copied in vain") } }
    #expect(problem?.kind == .notADatabase)
    #expect(try Data(contentsOf: folder.file("letter")) == Data("a letter, and no database".utf8))
    #expect(try folder.names.filter { $0.hasPrefix("letter") } == ["letter"])
  }

  @Test(arguments: [0o600, 0o644])
  func `a backup is as private as its store`(_ permissions: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.file("store").path)
    try factory.backUp(to: folder.file("saved"))
    let found = try FileManager.default.attributesOfItem(atPath: folder.file("saved").path)[.posixPermissions] as? NSNumber
    #expect(found?.intValue == permissions)
  }

  // MARK: Compacting

  @Test(arguments: [false, true])
  func `compacting frees what deleted rows left, while others read`(_ inMemory: Bool) async throws {
    let factory = inMemory ? try DAOFactory(store: .inMemory(), entities: Zone.self) : factory
    let zones = factory.runtimeDAO(Zone.self)
    if inMemory { try await zones.insert(Zone.samples) }
    try await zones.insert((0..<100).map { Zone("filler \($0)", 0, String(repeating: "x", count: 20_000)) })
    try await zones.delete(.where(.beginsWith(\.name, "filler")))
    let done = try await factory.compact()
    #expect(done.freed > 1_900_000 && done.size < 100_000 && done.hasShrunk)
    #expect(try await zones.findAll().map(\.name) == Zone.samples.map(\.name))
    let again = try await factory.compact()
    #expect(again.freed == 0 && again.sizeBefore == done.size)
    guard !inMemory else { return }
    #expect(try FileManager.default.attributesOfItem(atPath: folder.file("store").path)[.size] as? Int64 == done.size)
    try await factory.close()
    #expect(closed { try factory.compact() } != nil)
  }

  @Test func `whoever reads rows from before keeps them, and the file shrinks after them`() throws {
    try zones.insert((0..<100).map { Zone("filler \($0)", 0, String(repeating: "x", count: 20_000)) })
    let (factory, rows) = (factory, Told())
    let sitting = Sitting { stay in
      try factory.read { session in
        let zones = session.runtimeDAO(Zone.self)
        rows.add(Int64(try zones.count()))
        stay()
        rows.add(Int64(try zones.findAll().count))
      }
    }
    try zones.delete(.where(.beginsWith(\.name, "filler")))
    let done = try factory.compact()
    #expect(done.freed > 1_900_000 && !done.hasShrunk)
    #expect(try zones.count() == 6)
    sitting.end()
    #expect(rows.all == [106, 106])
    try factory.close()
    #expect(try FileManager.default.attributesOfItem(atPath: folder.file("store").path)[.size] as? Int64 == done.size)
  }

  @Test func `a search table is in step afterwards`() throws {
    let factory = try DAOFactory(store: .file(folder.file("notes")), entities: Folder.self, Note.self)
    let notes = factory.runtimeDAO(Note.self)
    try notes.insert(texts + texts)
    try notes.delete(.where(\.id <= 3))
    let before = try notes.findAll()
    try factory.compact()
    #expect(try notes.findAll() == before)
    try factory.write { try $0.runtimeDAO(Note.self).execute("INSERT INTO note_search (note_search, rank) VALUES ('integrity-check', 1)") }
  }
}

private final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var told: [Int64] = []
  func add(_ number: Int64) { lock.withLock { told.append(number) } }
  var all: [Int64] { lock.withLock { told } }
}
