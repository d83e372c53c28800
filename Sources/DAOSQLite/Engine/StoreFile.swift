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
  func writer() throws -> SerialConnection {
    let connection: SerialConnection
    do { connection = try inWAL() } catch DAOError.engine(let failure)
      where [ResultCode.SQLITE_FULL, .SQLITE_IOERR_SHMSIZE].map(\.rawValue).contains(failure.code)
    {
      SQLiteFile.removeWAL(of: path)
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.diskFull, path: path, "there is no room for the store's WAL: \(failure.message)"))
    }
    // From here on nobody else can replace or remove the file; until now, somebody could.
    try check()
    return connection
  }

  private func inWAL() throws -> SerialConnection {
    let connection = try open("mode=rw", isReadOnly: false)
    try connection.useWAL()
    return connection
  }

  /// A connection that reads beside others that write.
  func reader() throws -> SerialConnection { try open("mode=ro", isReadOnly: true) }

  /// A connection that reads what nobody writes: no lock is taken, no file made beside it.
  func unchangingReader() throws -> SerialConnection { try open("mode=ro&immutable=1", isReadOnly: true) }

  private func open(_ parameters: String, isReadOnly: Bool) throws -> SerialConnection {
    let connection: SerialConnection
    do {
      connection = try SerialConnection(path: SQLiteConfiguration.uri(url, parameters), configuration, isReadOnly: isReadOnly)
    } catch DAOError.engine(let failure) {
      // SQLite does not say what was in its way.
      if failure.code == GuardedFileSystem.refusal { try StorePaths.checkSidecars(of: path) }
      throw DAOError.engine(failure)
    }
    try check()
    return connection
  }

  private func check() throws {
    guard try Files.status(url.path)?.identity == identity else {
      throw DAOError.misuse("another file was given the name of a store that is open", use: "a new factory")
    }
  }
}
