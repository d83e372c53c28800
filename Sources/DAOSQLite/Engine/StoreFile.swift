import DAOCriteria
import Foundation
import GRDB

/// The one file that an engine's connections are of, whatever takes its name while they are open.
struct StoreFile: Sendable {
  private let url: URL
  private let configuration: SQLiteConfiguration
  private let identity: Files.Identity?

  var path: String { url.path }

  init(_ url: URL, _ configuration: SQLiteConfiguration) {
    self.url = url
    self.configuration = configuration
    identity = (try? Files.status(url.path))?.identity
  }

  /// A connection that writes, in WAL mode.
  func writer() throws -> Lane {
    let lane: Lane
    do { lane = try laneInWAL() } catch DAOError.engine(let failure)
      where [ResultCode.SQLITE_FULL, .SQLITE_IOERR_SHMSIZE].map(\.rawValue).contains(failure.code)
    {
      SQLiteFile.removeWAL(of: path)
      throw DAOError.bootstrap(BootstrapProblem(.diskFull, path: path, "there is no room for the store's WAL: \(failure.message)"))
    }
    // From here on nobody else can replace or remove the file; until now, somebody could.
    try check()
    return lane
  }

  private func laneInWAL() throws -> Lane {
    let lane = try open("mode=rw", isReadOnly: false, isShared: true)
    try lane.useWAL()
    return lane
  }

  /// A connection that reads beside others that write.
  func reader() throws -> Lane { try open("mode=ro", isReadOnly: true, isShared: false) }

  /// A connection that reads what nobody writes: no lock is taken, no file made beside it.
  func unchangingReader() throws -> Lane { try open("mode=ro&immutable=1", isReadOnly: true, isShared: false) }

  private func open(_ parameters: String, isReadOnly: Bool, isShared: Bool) throws -> Lane {
    let lane: Lane
    do {
      lane = try Lane(path: SQLiteConfiguration.uri(url, parameters), configuration.make(isReadOnly: isReadOnly), isShared: isShared)
    } catch DAOError.engine(let failure) {
      // SQLite does not say what was in its way.
      if failure.code == GuardedFileSystem.refusal { try StorePaths.checkSidecars(of: path) }
      throw DAOError.engine(failure)
    }
    try check()
    return lane
  }

  private func check() throws {
    guard try Files.status(url.path)?.identity == identity else {
      throw DAOError.misuse("another file was given the name of a store that is open", use: "a new factory")
    }
  }
}
