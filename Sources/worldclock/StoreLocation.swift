import Foundation

/// The location of the store.
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
}
