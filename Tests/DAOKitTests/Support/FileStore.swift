import DAOKit
import Foundation

/// A store in a file of its own, gone with the object.
final class FileStore {
  let url: URL
  let factory: DAOFactory

  init(_ entities: [EntityDescription] = [Zone.entityDescription]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString).sqlite")
    _ = try StoreBootstrapper(seed: .none, entities: entities).bootstrap(url)
    factory = DAOFactory(over: SQLEntityStore(try SQLiteEngine(opening: url)))
  }

  var zones: RuntimeDAO<Zone> { factory.runtimeDAO(Zone.self) }

  deinit {
    for suffix in ["", "-wal", "-shm", ".lock", "-journal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
  }
}
