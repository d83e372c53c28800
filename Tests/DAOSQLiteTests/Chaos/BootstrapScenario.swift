#if os(Linux)
  import DAOCriteria
  import Foundation

  @testable import DAOSQLite

  /// A bootstrap that is ended, slowed down or deprived of power, and what has to be found afterwards.
  struct BootstrapScenario: AllOrNothing {
    enum Name: String, CaseIterable {
      /// A seed into a folder that is not there yet.
      case copy
      /// A seed, by hand, beside a WAL that an earlier store left, and the leavings of a killed start.
      case copyOverRemains
      /// A seed whose last commits are in the WAL beside it.
      case copyFoldingWAL
      /// No seed.
      case create
      /// A store whose last commits are in its WAL, and another seed.
      case replace
      /// The same on a file system without second names.
      case replaceByCopying
      /// A seed that is kept for a later merge.
      case copyKeepingBase
      /// A store whose last commits are in its WAL, and a newer seed to merge with it.
      case upgrade
      /// A store whose last commits are in its WAL, and entities that have changed.
      case migrate
      /// Both at once.
      case migrateUpgrading
    }

    let name: Name
    private let size: FileSize
    let seed: URL?
    private let policy: SeedPolicy
    private let refused: String
    /// The store's path below the root.
    let store: String
    /// The names in the store before; nil where there is none.
    let old: [String]?
    /// The names in the complete new one.
    let new: [String]
    /// The seed and what lies beside it.
    private let shipped: [String: Data]
    /// The marks in both, by key, and the rows that they are at.
    private let oldMarks: [Int: Int]
    private let newMarks: [Int: Int]

    let scratch: Scratch

    init(_ name: Name) throws { try self.init(name, size: .usual) }

    init(_ name: Name, size: FileSize) throws {
      self.name = name
      self.size = size
      scratch = try Scratch()
      try FileManager.default.createDirectory(at: scratch.url("template"), withIntermediateDirectories: true)
      if size == .large {
        try FileManager.default.createDirectory(at: scratch.url("template/" + Probe.temporaryFolder), withIntermediateDirectories: true)
      }
      let rows = size.rows(120)
      try FileManager.default.createDirectory(at: scratch.url("shipped"), withIntermediateDirectories: true)
      let seed = scratch.url("shipped/seed.sqlite")
      let hasSeed = name != .create && name != .migrate
      if hasSeed {
        try Items.make(seed, size.label("one"), count: rows)
        try Self.makeMarks(
          seed,
          and: """
            DELETE FROM mark WHERE id = 4;
            UPDATE mark SET item = 7 WHERE id = 6
            """)
      }
      if name == .copyFoldingWAL { try Items.addInWAL(seed, "late") }
      store = name == .copy ? "a/b/store" : "store"
      self.seed = hasSeed ? seed : nil
      shipped = try Self.contents(scratch.path + "/shipped")
      let place = scratch.url("template/store")
      switch name {
      case .copyOverRemains:
        try Items.make(scratch.url("gone"), "gone")
        try Items.addInWAL(scratch.url("gone"), "late", count: 200)
        try FileManager.default.copyItem(at: scratch.url("gone-wal"), to: URL(fileURLWithPath: place.path + "-wal"))
        try Data("SQLite".utf8).write(to: URL(fileURLWithPath: place.path + ".incoming"))
        old = nil
      case .replace, .replaceByCopying, .upgrade, .migrate, .migrateUpgrading:
        try Items.make(scratch.url("first"), size.label("first"), count: rows)
        try Self.makeMarks(scratch.url("first"))
        _ = try DAOSQLiteTests.bootstrapper(scratch.url("first")).bootstrap(
          place, policy: name == .upgrade || name == .migrateUpgrading ? .upgrade(conflicts: .keepMine) : .copyIfMissing)
        // Or it would be of the version that the migration leads to.
        if name == .migrate || name == .migrateUpgrading { try Items.run(place, "PRAGMA user_version = 3") }
        try Items.addInWAL(place, "mine") { db in
          try db.execute(
            sql: """
              UPDATE item SET name = 'edited' WHERE id = 3;
              DELETE FROM item WHERE id = 5;
              DELETE FROM mark WHERE id = 2;
              INSERT INTO mark (item) VALUES (\(rows + 1))
              """)
        }
        old = Self.used("first", size)
      default: old = nil
      }
      policy =
        switch name {
        case .copyKeepingBase, .upgrade, .migrateUpgrading: .upgrade(conflicts: .keepMine)
        case .replace, .replaceByCopying: .replace
        default: .copyIfMissing
        }
      refused = name == .copyOverRemains ? "range" : name == .replaceByCopying ? "link" : ""
      new =
        switch name {
        case .create: []
        case .copyFoldingWAL: (Self.names("one", size) + Items.names("late", 20)).sorted()
        case .upgrade: Self.used("one", size)
        case .migrate: Self.marked(old ?? [])
        case .migrateUpgrading: Self.marked(Self.used("one", size))
        default: Self.names("one", size)
        }
      let seeded = Dictionary(uniqueKeysWithValues: (1...12).map { ($0, 10 * $0) })
      let used = seeded.filter { $0.key != 2 }.merging([13: rows + 1]) { $1 }
      func inSeed(_ marks: [Int: Int]) -> [Int: Int] { marks.filter { $0.key != 4 }.merging([6: 7]) { $1 } }
      oldMarks = used
      newMarks =
        switch name {
        case .create: [:]
        case .upgrade, .migrateUpgrading: inSeed(used)
        case .migrate: used
        default: inSeed(seeded)
        }
    }

    /// Twelve rows that reference others.
    private static func makeMarks(_ url: URL, and more: String = "") throws {
      try Items.run(
        url,
        """
        CREATE TABLE mark (id INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES item (id));
        INSERT INTO mark (item) SELECT id FROM item WHERE id % 10 = 0 AND id <= 120; \(more)
        """)
    }

    /// The names in a file that was made with a word.
    private static func names(_ word: String, _ size: FileSize) -> [String] { Items.names(size.label(word), size.rows(120)) }

    /// The names with what a user changed, deleted and added.
    private static func used(_ word: String, _ size: FileSize) -> [String] {
      var names = names(word, size)
      names[2] = "edited"
      names.remove(at: 4)
      return (names + Items.names("mine", 20)).sorted()
    }

    /// The names as a migration's own step leaves them.
    static func marked(_ names: [String]) -> [String] { names.map { $0 + "!" }.sorted() }

    private var isMigrating: Bool { name == .migrate || name == .migrateUpgrading }

    /// The probe's word for what is done.
    private var action: String { isMigrating ? name.rawValue : policy.word }

    var title: String { size.title(name.rawValue) }
    var subject: String { store }

    func start(in root: String, shim: [String: String]?) throws -> Child {
      try Probe.start(seed, root + "/" + store, action, root, refused: refused, shim: shim)
    }

    func complaint(afterAnotherGoIn root: String) throws -> String? {
      let end = try start(in: root, shim: nil).wait()
      guard try Self.contents(scratch.path + "/shipped") == shipped else { return "the seed has changed, or what lies beside it" }
      return end.status == 0 ? complaint(afterNextStartIn: root) : "the next start fails: \(end.output)"
    }

    /// The files in a folder, the index of a WAL too.
    private static func contents(_ folder: String) throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
    }

    /// What is found under the root: the store that was there with all its commits, the complete new one with the old one saved beside it,
    /// or none where none was.
    func find(in root: String) -> Found {
      let place = URL(fileURLWithPath: root + "/" + store)
      let bytes = ((try? FileManager.default.attributesOfItem(atPath: place.path))?[.size] as? NSNumber)?.int64Value ?? 0
      if bytes == 0 { return old == nil ? .before : .broken("the old store is gone") }
      do {
        let names = try Items.read(place)
        let base = Self.names(names == old ? "first" : "one", size)
        let kept = names != old && isMigrating ? Self.marked(base) : base
        if policy.merges, let complaint = try complaint(aboutBaseOf: place, with: kept) { return .broken(complaint) }
        let isOld = names == old
        guard isOld || names == new else { return .broken("\(names.count) rows of neither store: \(names.prefix(3)) …") }
        if let complaint = try complaint(aboutRowsOf: place, isOld ? oldMarks : newMarks, isMigrated: !isOld && isMigrating) {
          return .broken(complaint)
        }
        if isOld { return .before }
        if isMigrating {
          let saved = URL(fileURLWithPath: place.path + ".before-migration")
          return try Items.read(saved) == old ? .after : .broken("the store as it was before the migration is not saved")
        }
        if !policy.merges, let old, try !StorePaths(store: place.path).backups().contains(where: { (try? Items.read($0)) == old }) {
          return .broken("the old store is not saved")
        }
        return .after
      } catch { return .broken("\(error)") }
    }

    /// The rows' other values, and the rows that reference them.
    private func complaint(aboutRowsOf place: URL, _ marks: [Int: Int], isMigrated: Bool) throws -> String? {
      if isMigrated, try Items.texts(place, "SELECT name FROM item WHERE rank IS NOT 1") != [] { return "not all rows have the new value" }
      if marks.isEmpty { return nil }
      let found = try Items.texts(place, "SELECT id || ' ' || item FROM mark ORDER BY id")
      return found == marks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } ? nil : "the references are others: \(found)"
    }

    /// A store that is to be merged has the seed beside it that it says it is of.
    private func complaint(aboutBaseOf place: URL, with expected: [String]) throws -> String? {
      let paths = StorePaths(store: place.path)
      guard let stamp = try Items.stamp(place) else { return "the store has no stamp" }
      guard let base = try paths.bases(of: stamp).first else { return "the store has no base" }
      guard try paths.isWhole(base: base) else { return "the base is not what was kept" }
      let names = try Items.read(URL(fileURLWithPath: base))
      return names == expected ? nil : "the base is another seed: \(names.prefix(3)) …"
    }

    /// What a start after the interruption leaves to be wished for; nil for nothing.
    func complaint(afterNextStartIn root: String) -> String? {
      let found = find(in: root)
      guard found == .after else { return "the next start left \(found)" }
      let allowed = policy.merges ? store + ".base-" : old == nil ? nil : store + ".backup-"
      var left = snapshot(root).filter { $0.value != Data("folder".utf8) }.keys.filter {
        $0 != store && !$0.hasPrefix(Probe.temporaryFolder)
      }
      // The merge may have come to its end in the WAL of a process that was killed: who opens the store folds it in.
      if policy.merges || isMigrating { left.removeAll { $0 == store + "-wal" } }
      if isMigrating { left.removeAll { $0 == store + ".before-migration" } }
      // Of the bases, one holds.
      if let allowed, !policy.merges || left.count == 1 { left.removeAll { $0.hasPrefix(allowed) } }
      return left.isEmpty ? nil : "the next start left \(left.sorted())"
    }
  }

  extension SeedPolicy {
    /// The probe's word for it.
    var word: String {
      switch self {
      case .copyIfMissing: "copy"
      case .replace: "replace"
      case .upgrade: "upgrade"
      }
    }
  }
#endif
