#if os(Linux)
  import DAOCriteria
  import Foundation
  import GRDB

  @testable import DAOSQLite

  /// Something that is done to all of a store and is interrupted, and what has to be found afterwards.
  struct InstanceScenario: AllOrNothing {
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

    let name: Name
    private let size: FileSize
    let seed: URL
    let scratch: Scratch
    /// The names in the store before.
    private let old: [String]
    // Longer than what has its name before, so that a journal or WAL of that would cut it off.
    private let new = Items.names("one", 1500)
    /// The names in the older backup.
    private let saved: [String]?

    private static let store = "store"

    init(_ name: Name, size: FileSize = .usual) throws {
      self.name = name
      self.size = size
      scratch = try Scratch()
      seed = scratch.url("seed.sqlite")
      try Items.make(seed, "one", count: 1500)
      let folder = scratch.path + "/template"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      if size == .large {
        try FileManager.default.createDirectory(atPath: folder + "/" + Probe.temporaryFolder, withIntermediateDirectories: true)
      }
      let store = URL(fileURLWithPath: folder + "/" + Self.store)
      let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, name INTEGER)"
      try Items.make(
        store, size.label("old"), count: size.rows(600),
        schema: name.rawValue.hasPrefix("erase") ? schema : "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      try Items.addInWAL(store, "mine")
      old = (Items.names(size.label("old"), size.rows(600)) + Items.names("mine", 20)).sorted()
      var saved: [String]?
      switch name {
      case .destroy:
        try Items.make(URL(fileURLWithPath: store.path + ".backup-0"), "earlier")
        try Data("SQLite".utf8).write(to: URL(fileURLWithPath: store.path + ".incoming"))
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

    var title: String { size.title(name.rawValue) }
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

    func start(in root: String, shim: [String: String]?) throws -> Child {
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
    private func leftovers(in root: String) -> [String] {
      let store = Self.store
      let allowed: (String) -> Bool =
        switch name {
        case .destroy, .destroyDamaged: { _ in false }
        case .reset: { $0 == store }
        case .erase, .eraseByCopying: { $0 == store || $0.hasPrefix(store + ".erased-") }
        // The probe ends without closing the store.
        case .backup, .backupOver: { $0 == store || $0 == store + "-wal" || $0 == "saved" }
        }
      return snapshot(root).keys.filter { !allowed($0) && !$0.hasPrefix(Probe.temporaryFolder) }.sorted()
    }

    func complaint(afterAnotherGoIn root: String) throws -> String? {
      if let complaint = try complaint(afterAStartIn: root) { return complaint }
      let end = try start(in: root, shim: nil).wait()
      guard end.status == 0 else { return "the next time fails: \(end.output)" }
      let found = find(in: root)
      // A store that was erased already fits.
      guard found == .after else { return "the next time left \(found)" }
      let left = leftovers(in: root)
      return left.isEmpty ? nil : "the next time left \(left)"
    }

    /// Starts over a copy of what a removal has left: nothing of the old store may come back (E15).
    private func complaint(afterAStartIn root: String) throws -> String? {
      guard name == .destroy else { return nil }
      let copy = root + "-started"
      try FileManager.default.copyItem(atPath: root, toPath: copy)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      let found = find(in: copy)
      let end = try Probe.start(seed, copy + "/" + Self.store, "copy", copy).wait()
      guard end.status == 0 else { return "the next start fails: \(end.output)" }
      let names = try Items.read(URL(fileURLWithPath: copy + "/" + Self.store))
      return names == (found == .before ? old : new) ? nil : "the next start found \(names.count) rows of neither store"
    }

    // The lock's file, and what SQLite had beside the file, mean nothing by themselves.
    func remains(in root: String) -> [String] { name == .destroy ? leftovers(in: root).filter { !$0.hasSuffix(".lock") } : [] }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
  }
#endif
