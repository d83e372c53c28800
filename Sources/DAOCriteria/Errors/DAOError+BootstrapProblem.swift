extension DAOError {
  /// Why a store could not be made ready. Every case names the file.
  public struct BootstrapProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problem.
    public enum Kind: String, Sendable, Hashable {
      /// The seed is not there.
      case missingSeed
      /// The seed, the store or a file under a name that is reserved beside them is a folder, a link or a pipe.
      case notAFile
      /// The seed has no bytes.
      case emptySeed
      /// The seed is no SQLite database.
      case notADatabase
      /// The seed ends too early, or its pages do not add up.
      case truncated
      /// The seed is in WAL mode and the file with its last commits is not beside it.
      case missingWAL
      /// The seed is in WAL mode and can't be used where it lies, read-only.
      case walMode
      /// SQLite's own check found damage.
      case corrupt
      /// The file belongs to another application.
      case wrongApplication
      /// The file's text is UTF-16, which does not sort as a store's text does.
      case wrongEncoding
      /// The file is of a later version than the app.
      case newerVersion
      /// The store's folder or file can't be written.
      case unwritable
      /// The disk is full.
      case diskFull
      /// The store is to be upgraded to a newer seed, and the copy of its own seed is missing or damaged, so that its rows are not known.
      case missingBase
      /// The manifest that the seed requires is not there, can't be read or says otherwise than the seed.
      case manifest
      /// An interrupted writer's `-journal` names another file, which SQLite would delete.
      case foreignJournal
      /// Another process holds the store's lock for too long.
      case locked
      /// Any other failure of the system.
      case system
    }

    /// The kind of problem.
    public let kind: Kind
    /// The file at fault.
    public let path: String
    /// The problem, in one sentence.
    public let message: String

    /// A problem with a file.
    public init(_ kind: Kind, path: String, _ message: String) {
      self.kind = kind
      self.path = path
      self.message = message
    }

    /// File and sentence.
    public var description: String { "\(path): \(message)" }
  }
}
