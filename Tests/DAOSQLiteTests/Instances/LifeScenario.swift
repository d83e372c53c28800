#if os(Linux)
  import DAOCriteria
  import Foundation
  import GRDB

  @testable import DAOSQLite

  /// Something that is done to all of a store and is interrupted, and what has to be found afterwards.
  struct LifeScenario: Sendable {
    enum Name: String, CaseIterable {
      /// A store whose last commits are in its WAL is removed, with a backup and what a killed start has left.
      case destroy
      /// The same, and SQLite finds the file damaged.
      case destroyDamaged
      /// Made anew from its seed.
      case reset
      /// Does not fit the entities.
      case erase
      /// The same on a file system without second names.
      case eraseByCopying
      /// Saved beside itself, where nothing is.
      case backup
      /// Saved over an older backup whose last commits are in its WAL.
      case backupOver
    }

    /// What is found: all as it was, or all done.
    enum Found: Hashable, Sendable {
      case before, after
      case broken(String)
    }

    let name: Name
    let seed: URL
    private let scratch: Scratch
    /// The names in the store before.
    private let old: [String]
    // Longer than what has its name before, so that a journal or WAL of that would cut it off.
    private let new = Items.names("one", 1500)
    /// The names in the older backup.
    private let saved: [String]?

    private static let store = "store"

    init(_ name: Name) throws {
      self.name = name
      scratch = try Scratch()
      seed = scratch.url("seed.sqlite")
      try Items.make(seed, "one", count: 1500)
      let folder = scratch.path + "/template"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let store = URL(fileURLWithPath: folder + "/" + Self.store)
      let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, name INTEGER)"
      try Items.make(
        store, "old", count: 600,
        schema: name.rawValue.hasPrefix("erase") ? schema : "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      try Items.addInWAL(store, "mine")
      old = (Items.names("old", 600) + Items.names("mine", 20)).sorted()
      var saved: [String]?
      switch name {
      case .destroy:
        try Items.make(URL(fileURLWithPath: store.path + ".backup-0"), "earlier")
        try Data("left".utf8).write(to: URL(fileURLWithPath: store.path + ".incoming"))
      case .destroyDamaged:
        // The header is as it was.
        var bytes = try Data(contentsOf: store)
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xFF, count: 3996))
        try bytes.write(to: store)
        try FileManager.default.removeItem(atPath: store.path + "-wal")
      case .backupOver:
        let target = URL(fileURLWithPath: folder + "/saved")
        try Items.make(target, "earlier", count: 20)
        try Items.addInWAL(target, "late")
        saved = Items.names("earlier", 20) + Items.names("late", 20)
      default: break
      }
      self.saved = saved
    }

    /// The file whose name tells what is done.
    var subject: String { isBackup ? "saved" : Self.store }
    private var isBackup: Bool { name == .backup || name == .backupOver }
    private var action: String {
      switch name {
      case .destroy, .destroyDamaged: "destroy"
      case .reset: "reset"
      case .erase, .eraseByCopying: "erase"
      case .backup, .backupOver: "backup"
      }
    }

    func makeRoot() throws -> String {
      let root = scratch.path + "/run-\(UUID().uuidString)"
      try FileManager.default.copyItem(atPath: scratch.path + "/template", toPath: root)
      return root
    }

    func start(in root: String, shim: [String: String]? = nil) throws -> Child {
      try Probe.start(
        seed, root + "/" + Self.store, action, root, refused: name == .eraseByCopying ? "link" : "", shim: shim)
    }

    func find(in root: String) -> Found {
      let store = URL(fileURLWithPath: root + "/" + Self.store)
      do {
        switch name {
        case .destroy: return try !exists(store) ? .after : Items.read(store) == old ? .before : .broken("another store")
        case .destroyDamaged: return exists(store) ? .before : .after
        case .reset:
          let names = try Items.read(store)
          return names == old ? .before : names == new ? .after : .broken("\(names.count) rows of neither store")
        case .erase, .eraseByCopying:
          let names = try Items.read(store)
          if names == old { return .before }
          guard names == new else { return .broken("\(names.count) rows of neither store") }
          let erased = try StorePaths(store: store.path).erased().map(Items.read)
          return erased.contains(old) ? .after : .broken("the old store is not kept")
        case .backup, .backupOver:
          guard try Items.read(store) == old else { return .broken("the store itself has changed") }
          let target = URL(fileURLWithPath: root + "/saved")
          if !exists(target) { return saved == nil ? .before : .broken("the older backup is gone") }
          let names = try Items.read(target)
          return names == old ? .after : names == saved ? .before : .broken("\(names.count) rows of neither backup")
        }
      } catch { return .broken("\(error)") }
    }

    /// What is to be wished for when it has been done: no file that nobody needs.
    func leftovers(in root: String) -> [String] {
      let store = Self.store
      let allowed: (String) -> Bool =
        switch name {
        case .destroy, .destroyDamaged: { _ in false }
        case .reset: { $0 == store }
        case .erase, .eraseByCopying: { $0 == store || $0.hasPrefix(store + ".erased-") }
        // The probe ends without closing the store.
        case .backup, .backupOver: { $0 == store || $0 == store + "-wal" || $0 == "saved" }
        }
      return snapshot(root).keys.filter { !allowed($0) }.sorted()
    }

    /// Does it once more, and tells what is then wrong; nil for nothing.
    func complaint(afterDoingItAgainIn root: String) throws -> String? {
      let end = try start(in: root).wait()
      guard end.status == 0 else { return "the next time fails: \(end.output)" }
      let found = find(in: root)
      // A store that was erased already fits.
      guard found == .after else { return "the next time left \(found)" }
      let left = leftovers(in: root)
      guard left.isEmpty else { return "the next time left \(left)" }
      return nil
    }

    /// Starts over what a removal has left: nothing of the old store may come back (E15).
    func complaint(afterAStartIn root: String) throws -> String? {
      guard name == .destroy else { return nil }
      let found = find(in: root)
      let end = try Probe.start(seed, root + "/" + Self.store, "copy", root).wait()
      guard end.status == 0 else { return "the next start fails: \(end.output)" }
      let names = try Items.read(URL(fileURLWithPath: root + "/" + Self.store))
      return names == (found == .before ? old : new) ? nil : "the next start found \(names.count) rows of neither store"
    }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
  }
#endif
