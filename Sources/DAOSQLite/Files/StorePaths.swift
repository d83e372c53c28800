import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The names of a store's files. They are fixed, so that a start finds the files of a killed one.
struct StorePaths {
  let store: String
  /// The store's own name. Kept, since a folder may have very many files whose names are compared with it.
  let name: String

  init(store: String) {
    self.store = store
    name = URL(fileURLWithPath: store).lastPathComponent
  }

  /// Of the file itself, where the URL leads to it through links.
  /// - Throws: ``DAOError/BootstrapProblem/Kind/notAFile`` for a URL that is no file's.
  init(of url: URL) throws {
    _ = try Files.path(url, "store")
    self.init(store: url.absoluteURL.resolvingSymlinksInPath().path)
  }

  /// The file that is locked.
  var lock: String { store + ".lock" }
  /// The new store until it is complete.
  var incoming: String { store + ".incoming" }
  /// The backup until it is complete, where it has to be copied.
  var outgoing: String { store + ".outgoing" }
  /// The store as it was before the last migration that can't be undone. It stays until the next, or until the app removes it.
  var beforeMigration: String { store + ".before-migration" }

  private static let backupMark = ".backup-"
  private static let erasedMark = ".erased-"

  /// The backup of a store that was made at `stamp`. Every backup of one store has the same name: the store still there holds all that an
  /// earlier, unfinished attempt has saved of it.
  func backup(of stamp: SeedStamp?) -> String { store + Self.backupMark + (stamp.map { "\($0.copiedAt)" } ?? "0") }

  /// A time for a copy of a seed that is made now. No backup beside the store has it, nor has the store that the copy replaces: whatever
  /// the clock says, no backup replaces another.
  func copyTime(_ now: Date, besides old: SeedStamp?) throws -> Int64 {
    var time = SeedStamp.milliseconds(now)
    while try time == old?.copiedAt || isTaken(store + Self.backupMark + "\(time)") {
      time = time == SeedStamp.times.upperBound ? 1 : time + 1
    }
    return time
  }

  /// A name for a store that is erased now, which nothing has: a clock may be set back.
  func erasedName(at time: Date) throws -> String {
    var milliseconds = SeedStamp.milliseconds(time)
    while try isTaken(store + Self.erasedMark + "\(milliseconds)") { milliseconds += 1 }
    return store + Self.erasedMark + "\(milliseconds)"
  }

  private func isTaken(_ path: String) throws -> Bool { try Files.status(path, followingLinks: false) != nil }

  /// SQLite's own files beside the store that exist.
  func sidecars() throws -> [String] { try Self.sidecars(of: store).filter { try Files.status($0) != nil } }

  /// The backups there are. A person's file with this name is not a backup.
  func backups() throws -> [URL] { try names(after: Self.backupMark).filter { try isBackup($0.path) } }

  /// The erased stores there are. A person's file with this name is not an erased store.
  func erased() throws -> [URL] { try names(after: Self.erasedMark).filter { try isOlderStore($0.path) } }

  /// Everything that holds an earlier state of the store: replaced, erased, or as it was before a migration.
  func backupsOfAnyKind() throws -> [String] {
    try (backups() + erased()).map(\.path) + (isOlderStore(beforeMigration) ? [beforeMigration] : [])
  }

  /// Removes the second name that a killed start has given the store itself.
  func clearHalfErased() throws {
    let store = try Files.status(store)?.identity
    for url in try names(after: Self.erasedMark) where try Files.status(url.path)?.identity == store { try Files.remove(url.path) }
  }

  /// The files beside the store whose names are the store's, a mark and a time.
  private func names(after mark: String) throws -> [URL] { try files { hasTime($0, after: mark) } }

  /// The files in the store's folder whose names fit.
  func files(where isName: (String) -> Bool) throws -> [URL] {
    let folder = Files.folder(of: store)
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.system, path: folder, "can't be listed: \(error.localizedDescription)"))
    }
    return names.filter(isName).sorted().map { URL(fileURLWithPath: folder).appendingPathComponent($0) }
  }

  private func hasTime(_ name: String, after mark: String) -> Bool {
    let prefix = self.name + mark
    let time = name.dropFirst(prefix.count)
    return name.hasPrefix(prefix) && !time.isEmpty && time.utf8.allSatisfy { (48...57).contains($0) }
  }

  /// Whether a file with a backup's name is one: the store itself under its second name, or a store whose stamp is of the time in the name.
  /// A file that can't be read as a store is somebody else's.
  func isBackup(_ path: String) throws -> Bool {
    guard let status = try Files.status(path), status.isRegular, try !Files.isLink(path) else { return false }
    if try Files.status(store)?.identity == status.identity { return true }
    guard status.size > 0 else { return false }
    do { return try SQLiteFile.open(path, .readUnchanging) { try backup(of: SeedStamp(reading: $0)) == path } } catch let error as DAOError
      where !error.isInterruption
    {
      return false
    }
  }

  /// Whether a file with the name of an erased store, or of one before a migration, is one: a database, and not the store itself under a
  /// second name.
  func isOlderStore(_ path: String) throws -> Bool {
    guard let status = try Files.status(path), status.isRegular, status.size > 0, try !Files.isLink(path),
      try Files.status(store)?.identity != status.identity
    else { return false }
    do {
      return try SQLiteFile.open(path, .readUnchanging) { try StoreState(reading: $0).encoding == SeedHeader.utf8 }
    } catch let error as DAOError where !error.isInterruption { return false }
  }

  /// Whether a file has a name that a bootstrap clears or writes over.
  func isReserved(_ path: String) throws -> Bool {
    guard let identity = try Files.status(path)?.identity else { return false }
    return try isTimed(Files.resolve(path)) || fixed.contains { try Files.status($0)?.identity == identity }
  }

  /// Whether a path is the store's, or is reserved for a file beside it, whether or not that file exists.
  func isOwn(_ path: String) throws -> Bool {
    if try isReserved(path) || isTimed(path) { return true }
    if let identity = try Files.status(path)?.identity, try Files.status(store)?.identity == identity { return true }
    return ([store] + fixed).map(Self.place).contains(Self.place(path))
  }

  /// The names beside the store that never change.
  private var fixed: [String] {
    [lock, incoming, outgoing, beforeMigration] + Self.sidecars(of: incoming) + Self.sidecars(of: outgoing) + Self.sidecars(of: store)
  }

  /// Whether a path is beside the store, and its name the store's with a mark and a time.
  private func isTimed(_ path: String) -> Bool {
    let name = URL(fileURLWithPath: path).lastPathComponent
    return (hasTime(name, after: Self.backupMark) || hasTime(name, after: Self.erasedMark) || isBaseName(name))
      && Files.resolve(Files.folder(of: path)) == Files.resolve(Files.folder(of: store))
  }

  /// A path, with the links of its folder resolved.
  private static func place(_ path: String) -> String {
    Files.resolve(Files.folder(of: path)) + "/" + URL(fileURLWithPath: path).lastPathComponent
  }

  /// The files that a start creates besides the store and the lock.
  var temporary: [String] { [incoming, outgoing].flatMap { [$0] + Self.sidecars(of: $0) } }

  /// Whether a start is at work here, or was killed and has left something.
  var areInUse: Bool {
    get throws { try ([lock] + temporary).contains { try Files.status($0) != nil } }
  }

  /// Runs a body that makes a store under the incoming name, and removes that where it fails.
  func making<Value>(_ body: () throws -> Value) throws -> Value {
    // A file that has the name already is not the body's; the body fails then.
    let isFree = try Files.status(incoming, followingLinks: false) == nil
    do { return try body() } catch {
      // Whatever it holds: it may have been copied from a seed that changed meanwhile.
      if isFree { for path in [incoming] + Self.sidecars(of: incoming) { _ = try? Files.remove(path) } }
      try? clearLeftovers()
      throw error
    }
  }

  /// Removes what killed starts left.
  /// - Throws: ``DAOError/BootstrapProblem/Kind/system`` where a person's own file has one of these names; nothing is removed then.
  func clearLeftovers() throws {
    for path in [incoming, outgoing] { try Self.expectLeftover(path, of: SeedHeader.magic) }
    for path in temporary { try Files.remove(path) }
  }

  /// A file that was not finished is the beginning of one of its kind, or has no beginning yet.
  /// - Parameter magic: the bytes with which such files begin.
  /// - Throws: ``DAOError/BootstrapProblem/Kind/system`` where it is another file.
  static func expectLeftover(_ path: String, of magic: some Collection<UInt8>) throws {
    guard try Files.status(path, followingLinks: false)?.isRegular == true else { return }
    let start = try OpenFile(path, O_RDONLY).read(magic.count, at: 0)
    if magic.starts(with: start) || start.allSatisfy({ $0 == 0 }) { return }
    throw DAOError.bootstrap(
      DAOError.BootstrapProblem(.system, path: path, "the name under which a file is made ready is taken by another file; move it away"))
  }
}
