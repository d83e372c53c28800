import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A new folder in the system's folder for temporary files, removed with all that is in it. Nobody else may read it: copied data may be
/// private.
///
/// It is locked while it is used. The system frees the lock of a process that ends, however it ends: the folder of a killed process is
/// removed by the next process that needs one.
struct TemporaryFolder: ~Copyable {
  static let mark = "dao-memory-"

  let path: String
  /// The folder and those on the way to it that were missing.
  private let made: [String]
  private let held: OpenFile

  init(in temporary: URL = FileManager.default.temporaryDirectory) throws {
    Self.removeLeftovers(in: temporary)
    while true {
      let path = temporary.appendingPathComponent(Self.mark + UUID().uuidString).path
      let made = try Files.makeFolders(path, permissions: 0o700)
      // Until it is locked, it looks like one that was left: somebody else may remove it.
      if let held = try Self.hold(path) {
        (self.path, self.made) = (path, made)
        self.held = held
        return
      }
      Files.removeFolders(made)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    Files.removeFolders(made)
  }

  /// Hands over a new folder, and removes it with all that is in it.
  static func use<Value>(_ body: (_ path: String) throws -> Value) throws -> Value {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try body(folder.path)
  }

  /// Locks a folder; nil where it was removed, or is locked already, by this process or another.
  private static func hold(_ path: String) throws -> OpenFile? {
    guard try Files.status(path) != nil else { return nil }
    let folder: OpenFile
    do { folder = try OpenFile(folder: path) } catch {
      if try Files.status(path) == nil { return nil }
      throw error
    }
    // A file system without such locks has none for those who clear either.
    if (try? folder.tryLock()) == false { return nil }
    guard try Files.status(path)?.identity == folder.status().identity else { return nil }
    return folder
  }

  /// Removes what killed processes left. Another user's can't be removed, and stays.
  static func removeLeftovers(in temporary: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? [] {
      // First by the name: there may be thousands of other files.
      guard name.hasPrefix(mark), UUID(uuidString: String(name.dropFirst(mark.count))) != nil else { continue }
      let path = temporary.appendingPathComponent(name).path
      guard (try? Files.isLink(path)) == false, let folder = try? OpenFile(folder: path), (try? folder.tryLock()) == true else { continue }
      try? FileManager.default.removeItem(atPath: path)
      withExtendedLifetime(folder) {}
    }
  }
}
