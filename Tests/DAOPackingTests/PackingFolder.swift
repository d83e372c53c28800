import Foundation

/// A folder for files and the seeds made of them, gone with the object.
final class PackingFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("dao-packing-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
