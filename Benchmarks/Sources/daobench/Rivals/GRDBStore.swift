import Foundation
import GRDB

extension DatabasePool {
  /// A pool with the settings that DAOKit's connections have.
  convenience init(store url: URL) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    try self.init(path: url.path, configuration: configuration)
    // GRDB's own choice for WAL is NORMAL, which does not wait for the disk at each commit. It makes it after `prepareDatabase`.
    try writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
  }
}
