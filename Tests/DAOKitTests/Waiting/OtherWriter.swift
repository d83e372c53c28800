import Foundation
import GRDB

/// Somebody else who has a file's write lock until `end`.
struct OtherWriter {
  private let queue: DatabaseQueue

  init(_ url: URL) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func end() throws {
    try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try queue.close()
  }
}
