import DAOKit
import Foundation

/// A store in a file of its own, gone with the object.
final class FileStore {
  let url: URL
  let factory: DAOFactory

  init(_ entities: [EntityDescription] = [Zone.entityDescription]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString).sqlite")
    // The second opening is what every start but an app's first does: it finds the store in WAL mode.
    _ = try StoreDescription.file(url).open(entities)
    factory = DAOFactory(over: EngineStore(try StoreDescription.file(url).open(entities).engine))
  }

  var zones: RuntimeDAO<Zone> { factory.runtimeDAO(Zone.self) }

  deinit {
    for suffix in ["", "-wal", "-shm", ".lock", "-journal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
  }
}
