import Foundation

/// Where the store is kept.
enum StoreLocation {
  /// In the user's data folder: `$XDG_DATA_HOME`, else `~/.local/share`; on Apple systems Application Support.
  static func standard() throws -> URL {
    #if canImport(Darwin)
      let folder = try FileManager.default.url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    #else
      let home = FileManager.default.homeDirectoryForCurrentUser
      let named = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      let folder = named.map { URL(fileURLWithPath: $0) } ?? home.appendingPathComponent(".local/share")
    #endif
    return folder.appendingPathComponent("worldclock/worldclock.sqlite")
  }

  /// Deletes the store with the files that SQLite keeps beside it; nothing that is not such a store.
  static func delete(_ store: URL) throws {
    guard let file = try? FileHandle(forReadingFrom: store), let start = try file.read(upToCount: 72) else { return }
    guard start.starts(with: Data("SQLite format 3\0".utf8)), start.suffix(4) == Data("WCLK".utf8) else { throw NoStore(path: store.path) }
    for suffix in ["-wal", "-shm", "-journal", ""] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.removeItem(atPath: store.path + suffix)
    }
  }

  struct NoStore: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is no store of the world clock, so it is not deleted" }
  }
}
