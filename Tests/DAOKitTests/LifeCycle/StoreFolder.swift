import DAOKit
import Foundation
import GRDB

/// A folder for stores and their backups, gone with the object.
final class StoreFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent("DAOKitTests-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }

  /// A seed with zones of these names.
  func seed(_ names: [String]) throws -> URL {
    let seed = file("seed-\(UUID().uuidString)")
    do {
      let factory = try DAOFactory(store: .file(seed), entities: Zone.self)
      try factory.runtimeDAO(Zone.self).insert(names.map { Zone($0, 0) })
    }
    // A seed is shipped as one file that is not in WAL mode.
    let queue = try DatabaseQueue(path: seed.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    return seed
  }

  /// What this process has open below the folder; nil where that can't be asked.
  var openFiles: [String]? {
    #if os(Linux)
      return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }.filter { $0.hasPrefix(url.path) }
    #else
      return nil
    #endif
  }

  /// The names of the zones in a file, read with another library's connection, which finds it sound.
  func zones(_ name: String) throws -> [String] {
    let queue = try DatabaseQueue(path: file(name).path)
    defer { try? queue.close() }
    return try queue.read { db in
      guard try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok" else { throw DAOError.unsupported("the file is damaged") }
      return try String.fetchAll(db, sql: "SELECT name FROM zone ORDER BY id")
    }
  }
}

/// The path of the store that a call found closed; nil for another outcome.
func closed(_ body: () throws -> some Any) -> String? {
  do { _ = try body() } catch DAOError.closed(let store) { return store } catch {}
  return nil
}

/// The problem of a file that a call found; nil for another outcome.
func fileProblem(_ body: () throws -> some Any) -> DAOError.BootstrapProblem? {
  do { _ = try body() } catch DAOError.bootstrap(let problem) { return problem } catch {}
  return nil
}

/// Whether a call is one that the store can't do, or not do since it is only read.
func refused(_ body: () throws -> some Any) -> String? {
  do { _ = try body() } catch DAOError.unsupported { return "unsupported" } catch DAOError.readOnly { return "read-only" } catch {}
  return nil
}

/// A thread in a closure of a store, which stays there until it is let go.
final class Sitting: Sendable {
  private let (inside, leave, out) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

  /// Waits until the thread is inside.
  init(_ enter: @escaping @Sendable (_ stay: () -> Void) throws -> Void) {
    Thread.detachNewThread { [inside, leave, out] in
      try? enter {
        inside.signal()
        leave.wait()
      }
      // Where it could not enter, nobody waits for it in vain.
      inside.signal()
      out.signal()
    }
    inside.wait()
  }

  /// Has the thread leave, and waits until it has.
  func end() {
    leave.signal()
    out.wait()
  }

  /// Has the thread leave in a moment, by a thread of its own: tests may block those that are shared.
  func endSoon(_ moment: TimeInterval = 0.1) {
    Thread.detachNewThread { [leave] in
      Thread.sleep(forTimeInterval: moment)
      leave.signal()
    }
  }
}
