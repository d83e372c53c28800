import Foundation

/// A feed that was received from a stream: a temporary file, which is removed with the last import that reads it.
final class ReceivedFile: Sendable {
  let url: URL

  /// A new empty file, which nobody else can read.
  /// - Throws: `CocoaError` where it can't be created.
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("dao-import-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
