import DAOCriteria
import DAOSQL
import Foundation

@testable import DAOSQLite

/// A bootstrap that is ended, slowed down or deprived of power, and what has to be found afterwards.
struct Scenario: Sendable {
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
  let seed: URL?
  let policy: SeedPolicy
  let refused: String
  /// The store's path below the root.
  let store: String
  /// The names in the store before; nil where there is none.
  let old: [String]?
  /// The names in the complete new one.
  let new: [String]

  private let scratch: Scratch
  private let template: String

  init(_ name: Name) throws {
    self.name = name
    scratch = try Scratch()
    template = scratch.path + "/template"
    try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
    let seed = scratch.url("seed.sqlite")
    let hasSeed = name != .create && name != .migrate
    if hasSeed { try Items.make(seed, "one") }
    if name == .copyFoldingWAL { try Items.addInWAL(seed, "late") }
    store = name == .copy ? "a/b/store" : "store"
    self.seed = hasSeed ? seed : nil
    let place = scratch.url("template/store")
    switch name {
    case .copyOverRemains:
      try Items.make(scratch.url("gone"), "gone")
      try Items.addInWAL(scratch.url("gone"), "late", count: 200)
      try FileManager.default.copyItem(at: scratch.url("gone-wal"), to: URL(fileURLWithPath: place.path + "-wal"))
      try Data("left".utf8).write(to: URL(fileURLWithPath: place.path + ".incoming"))
      old = nil
    case .replace, .replaceByCopying, .upgrade, .migrate, .migrateUpgrading:
      try Items.make(scratch.url("first"), "first")
      _ = try DAOSQLiteTests.bootstrapper(scratch.url("first")).bootstrap(
        place, policy: name == .upgrade || name == .migrateUpgrading ? .upgrade(conflicts: .keepMine) : .copyIfMissing)
      // Or it would be of the version that the migration leads to.
      if name == .migrate || name == .migrateUpgrading { try Items.run(place, "PRAGMA user_version = 3") }
      try Items.addInWAL(place, "mine")
      old = (Items.names("first", 120) + Items.names("mine", 20)).sorted()
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
      case .copyFoldingWAL: (Items.names("one", 120) + Items.names("late", 20)).sorted()
      case .upgrade: (Items.names("one", 120) + Items.names("mine", 20)).sorted()
      case .migrate: Self.marked(old ?? [])
      case .migrateUpgrading: Self.marked(Items.names("one", 120) + Items.names("mine", 20))
      default: Items.names("one", 120)
      }
  }

  /// The names as a migration's own step leaves them.
  static func marked(_ names: [String]) -> [String] { names.map { $0 + "!" }.sorted() }

  private var isMigrating: Bool { name == .migrate || name == .migrateUpgrading }

  /// The probe's word for what is done.
  var action: String { isMigrating ? name.rawValue : policy.word }

  /// What the probe does.
  func bootstrap(_ store: URL) throws {
    let rank = Attribute("rank", .integer)
    let migration = Migration(
      .fill("item", "rank", with: .integer(1)),
      steps: [.after(9, "marks each name") { _ = try $0.execute("UPDATE item SET name = name || '!'") }])
    let entities = [isMigrating ? EntityDescription("item", key: item.key, attributes: item.attributes + [rank]) : item]
    _ = try bootstrapper(seed, entities: entities, migration: isMigrating ? migration : nil).bootstrap(store, policy: policy)
  }

  /// A root for one run, with all that is there before.
  func makeRoot() throws -> String {
    let root = scratch.path + "/run-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: template, toPath: root)
    return root
  }

  enum Found: Hashable, Sendable {
    case none, old, new
    case broken(String)
  }

  /// What is found under the root: the store that was there with all its commits, the complete new one with the old one saved beside it, or
  /// none where none was.
  func find(in root: String) -> Found {
    let place = URL(fileURLWithPath: root + "/" + store)
    let size = ((try? FileManager.default.attributesOfItem(atPath: place.path))?[.size] as? NSNumber)?.int64Value ?? 0
    if size == 0 { return old == nil ? .none : .broken("the old store is gone") }
    do {
      let names = try Items.read(place)
      let base = Items.names(names == old ? "first" : "one", 120)
      let kept = names != old && isMigrating ? Self.marked(base) : base
      if policy.merges, let complaint = try complaint(aboutBaseOf: place, with: kept) { return .broken(complaint) }
      if names == old { return .old }
      guard names == new else { return .broken("\(names.count) rows of neither store: \(names.prefix(3)) …") }
      if isMigrating {
        let saved = URL(fileURLWithPath: place.path + ".before-migration")
        return try Items.read(saved) == old ? .new : .broken("the store as it was before the migration is not saved")
      }
      if !policy.merges, let old, try !StorePaths(store: place.path).backups().contains(where: { (try? Items.read($0)) == old }) {
        return .broken("the old store is not saved")
      }
      return .new
    } catch { return .broken("\(error)") }
  }

  /// A store that is to be merged has the seed beside it that it says it is of.
  private func complaint(aboutBaseOf place: URL, with expected: [String]) throws -> String? {
    let paths = StorePaths(store: place.path)
    guard let stamp = try Items.stamp(place) else { return "the store has no stamp" }
    let base = paths.base(of: stamp)
    guard try Files.status(base) != nil else { return "the store has no base" }
    let names = try Items.read(URL(fileURLWithPath: base))
    return names == expected ? nil : "the base is another seed: \(names.prefix(3)) …"
  }

  /// What a start after the interruption leaves to be wished for; nil for nothing.
  func complaint(afterNextStartIn root: String) -> String? {
    let found = find(in: root)
    guard found == .new else { return "the next start left \(found)" }
    let allowed = policy.merges ? store + ".base-" : old == nil ? nil : store + ".backup-"
    var left = snapshot(root).filter { $0.value != Data("folder".utf8) }.keys.filter { $0 != store }
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
