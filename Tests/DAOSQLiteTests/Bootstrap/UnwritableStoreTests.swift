import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

#if os(Linux)
  /// Stores that can't be opened for writing: an error, and nothing left beside them.
  @Suite("A store that can't be written")
  struct UnwritableStoreTests {
    enum Mode: String, CaseIterable {
      /// As a copied seed is.
      case rollback
      /// Closed in WAL mode.
      case wal
      /// In WAL mode, with its last commits in the WAL, as when the writer was killed.
      case unfinished
    }

    let scratch = Result { try Scratch() }

    private func make(_ mode: Mode, in folder: String) throws -> URL {
      let store = URL(fileURLWithPath: folder + "/store.sqlite")
      try Items.make(store, "one")
      if mode == .wal { try Items.run(store, "PRAGMA journal_mode = WAL") }
      if mode == .unfinished { try Items.addInWAL(store, "late") }
      return store
    }

    static let ways: [@Sendable (URL) throws -> Void] = [
      { url in withExtendedLifetime(try StoreDescription.file(url, applicationID: 7).open([item])) {} },
      { url in withExtendedLifetime(try SQLiteEngine(opening: url)) {} },
      { url in withExtendedLifetime(try StoreDescription.file(url, version: 9, migration: .automatic).open([item])) {} },
    ]

    @Test(arguments: Mode.allCases, ways.indices)
    func `one whose file may only be read leaves no WAL and no index of one`(mode: Mode, way: Int) throws {
      let folder = try scratch.get().path
      let store = try make(mode, in: folder)
      // Whoever tries may make files in the folder.
      guard chmod(folder, 0o777) == 0, chmod(store.path, 0o444) == 0 else { throw DAOError.unsupported("chmod") }
      if mode == .unfinished, chmod(store.path + "-wal", 0o666) != 0 { throw DAOError.unsupported("chmod") }
      let before = FileManager.default.contents(atPath: store.path)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let error = try Nobody.run { try Self.ways[way](store) }
      switch error {
      case DAOError.bootstrap(let problem)?: #expect(problem.kind == .unwritable && problem.path == store.path, "\(problem)")
      case DAOError.readOnly?: break
      default: Issue.record("\(error.map { "\($0)" } ?? "it was opened")")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
      #expect(FileManager.default.contents(atPath: store.path) == before)
    }

    @Test(.enabled(if: Mounted.isPossible, "needs the right to mount"), arguments: Mode.allCases, ways.indices)
    func `one on a full disk neither`(mode: Mode, way: Int) throws {
      // Of 32 KB for the WAL's index and what a change of the mode takes, so many are there.
      var failures = 0
      for kilobytes in stride(from: 0, through: 48, by: 4) {
        let scratch = try Scratch()
        let made = try make(mode, in: scratch.path)
        let mounted = try Mounted(scratch.path + "/mount", "size=256k")
        let store = mounted.url("store.sqlite")
        for suffix in mode == .unfinished ? ["", "-wal"] : [""] {
          try FileManager.default.copyItem(atPath: made.path + suffix, toPath: store.path + suffix)
        }
        let filler = open(mounted.url("filler").path, O_WRONLY | O_CREAT, 0o644)
        defer { close(filler) }
        let page = [UInt8](repeating: 1, count: 4096)
        while write(filler, page, 4096) == 4096 {}
        let size = lseek(filler, 0, SEEK_END)
        ftruncate(filler, size - off_t(kilobytes << 10))
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: mounted.path))
        do { try Self.ways[way](store) } catch let error as DAOError {
          let left = try FileManager.default.contentsOfDirectory(atPath: mounted.path)
          // Commits that were in a WAL may be in the file now.
          #expect(Set(left).isSubset(of: names) && left.contains("store.sqlite"), "\(kilobytes) KB, \(left): \(error)")
          #expect(
            try Items.read(store)
              == (mode == .unfinished ? Items.names("one", 120) + Items.names("late", 20) : Items.names("one", 120)).sorted())
          guard case .bootstrap(let problem) = error, problem.kind == .diskFull else {
            Issue.record("\(kilobytes) KB: \(error)")
            continue
          }
          failures += 1
        }
      }
      #expect(failures > 0)
    }
  }

  /// Runs bodies as somebody who may write to no file that is not theirs.
  enum Nobody {
    /// - Returns: the body's error; nil where it has none.
    static func run(_ body: @escaping @Sendable () throws -> Void) throws -> (any Error)? {
      let (ended, outcome) = (DispatchSemaphore(value: 0), Outcome())
      // The system's rights to files are those of a thread.
      Thread.detachNewThread {
        typealias SetUser = @convention(c) (uid_t) -> CInt
        if geteuid() == 0, let symbol = dlsym(nil, "setfsuid") { _ = unsafeBitCast(symbol, to: SetUser.self)(65534) }
        do { try body() } catch { outcome.error = error }
        ended.signal()
      }
      ended.wait()
      return outcome.error
    }

    private final class Outcome: @unchecked Sendable { var error: (any Error)? }
  }
#endif
