import Foundation

/// A file that takes its name when it is complete.
final class ExportFile {
  private let url, partial: URL
  private let handle: FileHandle

  /// Opens a file beside the one that it is to become.
  init(_ url: URL) throws {
    self.url = url
    partial = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    try Data().write(to: partial, options: .withoutOverwriting)
    handle = try FileHandle(forWritingTo: partial)
  }

  func write(_ data: Data) throws { try handle.write(contentsOf: data) }

  /// Gives the file its name; a file that has it is replaced.
  func complete() throws {
    try handle.synchronize()
    try handle.close()
    // `FileManager` replaces no file that is not there.
    guard rename(partial.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
  }

  func discard() {
    try? handle.close()
    try? FileManager.default.removeItem(at: partial)
  }
}
