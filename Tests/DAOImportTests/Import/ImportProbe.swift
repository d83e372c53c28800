import Foundation

/// Imports by another process, which can be killed and can find the disk full.
enum ImportProbe {
  /// Starts the process.
  /// - Returns: the process, and what it says.
  static func run(_ arguments: String...) throws -> (process: Process, lines: Pipe) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("import-probe")
    if let executable = process.executableURL, !FileManager.default.isExecutableFile(atPath: executable.path) {
      process.executableURL = Bundle(for: Marker.self).bundleURL.deletingLastPathComponent().appendingPathComponent("import-probe")
    }
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    return (process, pipe)
  }

  private final class Marker {}
}
