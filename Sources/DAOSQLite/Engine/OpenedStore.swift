import DAOCriteria
import DAOSQL
import Foundation
import GRDB

/// The store that an engine's connections open.
enum OpenedStore {
  /// A file in WAL mode, and the connection with which a bootstrap has examined it: it becomes the first read connection, and one that
  /// writes is opened when it is needed.
  case file(StoreFile, looked: SerialConnection?)
  /// A file that nobody writes.
  case unchanging(StoreFile)
  /// The one connection of a store in memory.
  case memory(SerialConnection)

  /// Goes on with a bootstrap's connection.
  /// - Parameter looked: open for writing and held, so that it is in WAL mode.
  static func file(of looked: SQLiteFile, _ configuration: SQLiteConfiguration) throws -> OpenedStore {
    do { try looked.queue.unsafeReentrantRead { try $0.run("PRAGMA query_only = ON") } } catch let error as DatabaseError {
      throw DAOError(error, entity: nil)
    }
    let reader = try SerialConnection(looked.queue, configuration)
    return .file(StoreFile(URL(fileURLWithPath: looked.path), configuration), looked: reader)
  }
}
