import DAOFixtures
import Foundation

/// The fixtures in a folder of their own, which goes with it.
final class FixtureFolder {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A new copy of a fixture.
  func write(_ fixture: Fixture) throws -> URL { try fixture.write(to: folder) }
}
