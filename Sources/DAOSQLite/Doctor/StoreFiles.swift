import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite

/// A store's files as they are found, and the way in which they can be read without changing any.
struct StoreFiles: Equatable {
  /// How the files are read.
  enum Way {
    /// Beside others, under SQLite's own locks.
    case beside
    /// The main file by itself. SQLite would create a WAL and its index for a file in WAL mode that has none.
    case alone
    /// As a copy, on which SQLite may finish what somebody else has left.
    case copy
  }

  /// The attributes of a file that show whether it was written to.
  private struct Stamp: Equatable {
    let size: Int64
    let modified: Date?

    init?(_ path: String) throws {
      guard let status = try Files.status(path) else { return nil }
      size = status.size
      modified = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
  }

  let path: String
  let way: Way
  private let main: Stamp?
  private let wal: Stamp?
  private let index: Stamp?
  private let hasHotJournal: Bool
  private let headerBytes: [UInt8]

  init(_ paths: StorePaths) throws {
    path = paths.store
    main = try Stamp(path)
    wal = try Stamp(path + "-wal")
    index = try Stamp(path + "-shm")
    headerBytes = try Self.header(of: path)
    // A journal that begins with zeros is done with; one whose writer lives is no concern of a reader's.
    let journal = try? OpenFile(path + "-journal", O_RDONLY).read(1, at: 0)
    let isBegun = (journal?.first ?? 0) != 0
    let (hasWAL, isWAL) = (wal.map { $0.size > 0 } ?? false, SeedHeader(headerBytes)?.isWAL ?? false)
    var hasHotJournal = false
    if hasWAL {
      way = !isWAL ? .alone : index == nil ? .copy : .beside
    } else if isBegun, isWAL || wal != nil {
      (way, hasHotJournal) = (.copy, true)
    } else if isBegun {
      hasHotJournal = try Self.needsWriter(path)
      way = hasHotJournal ? .copy : .beside
    } else {
      way = (isWAL ? wal != nil && index != nil : wal == nil) ? .beside : .alone
    }
    self.hasHotJournal = hasHotJournal
  }

  /// Bytes of the main file.
  var size: Int64 { main?.size ?? 0 }

  /// The header of the main file; nil where it is no database.
  var header: SeedHeader? { SeedHeader(headerBytes) }

  /// Whether commits may be in a WAL.
  var hasWAL: Bool { (wal?.size ?? 0) > 0 }

  var isWAL: Bool { header?.isWAL ?? false }

  /// Whether the result holds only if nobody wrote meanwhile.
  var needsQuiet: Bool { way != .beside }

  /// Why the file can't be whole; nil where it can. The missing part may be in the WAL.
  var cut: String? {
    guard let header, (wal?.size ?? 0) == 0, !size.isMultiple(of: header.pageSize) else { return nil }
    return "\(size) bytes are no whole number of pages of \(header.pageSize) bytes"
  }

  /// A WAL belongs only to a file in WAL mode; SQLite applies the WAL to another file all the same.
  private var hasForeignWAL: Bool { (wal?.size ?? 0) > 0 && !isWAL }

  /// Looks at a store's files as they are. A look that takes no lock is repeated where somebody wrote meanwhile.
  static func looking<Value>(at paths: StorePaths, _ body: (StoreFiles) throws -> Value) throws -> Value {
    for _ in 0..<3 {
      let files = try StoreFiles(paths)
      // An error too may be of what somebody wrote on the way.
      let result = Result { try body(files) }
      if try !files.needsQuiet || StoreFiles(paths) == files { return try result.get() }
    }
    throw DAOError.bootstrap(
      DAOError.BootstrapProblem(.locked, path: paths.store, "the store was written to each time that it was looked at"))
  }

  /// Opens the store, hands it over outside of any transaction and closes it.
  func open<Value>(
    maximumLength: Int = StoreDescription.defaultMaximumLength, _ body: (Database) throws -> Value
  ) throws -> Value {
    switch way {
    case .beside: return try open(path, .read, maximumLength, body)
    case .alone: return try open(path, .readUnchanging, maximumLength, body)
    case .copy:
      // Of the copy, SQLite's error would name another file.
      try StorePaths.checkSidecars(of: path)
      return try TemporaryFolder.use { folder in
        let copy = folder + "/copy"
        for suffix in [""] + ((wal?.size ?? 0) > 0 ? ["-wal"] : []) + (hasHotJournal ? ["-journal"] : []) {
          // Closing what was opened by hand drops this process's locks on it (sqlite.org/howtocorrupt.html, section 2.2): it has none,
          // since nobody has a store open whose WAL has no index, or whose journal waits for a writer.
          try OpenFile(path + suffix, O_RDONLY).copy(to: copy + suffix, permissions: 0o600) { _ in }
        }
        return try open(copy, .write, maximumLength, body)
      }
    }
  }

  private func open<Value>(
    _ path: String, _ access: SQLiteFile.Access, _ maximumLength: Int, _ body: (Database) throws -> Value
  ) throws -> Value {
    let configuration = SQLiteConfiguration(statements: nil, maximumLength: maximumLength).make(isReadOnly: access != .write)
    let file = try SQLiteFile(path, access, timeout: SQLiteConfiguration.busyTimeout, configuration)
    defer { try? file.close() }
    return try file.run(body)
  }

  /// Whether SQLite has to take back what an interrupted writer had begun before anything can be read.
  private static func needsWriter(_ path: String) throws -> Bool {
    do { try SQLiteFile(path, .read, timeout: SQLiteConfiguration.busyTimeout).close() } catch DAOError.bootstrap(let problem) {
      if problem.kind == .unwritable { return true }
      guard [.corrupt, .notADatabase].contains(problem.kind) else { throw DAOError.bootstrap(problem) }
    }
    return false
  }

  /// The first bytes of a file, by SQLite's own hand: closing a file that was opened besides would drop the locks that this process has on
  /// it (sqlite.org/howtocorrupt.html, section 2.2). Nothing but these bytes is read.
  static func header(of path: String) throws -> [UInt8] {
    var database: OpaquePointer?
    let uri = SQLiteConfiguration.uri(URL(fileURLWithPath: path), SQLiteFile.Access.readUnchanging.rawValue)
    let code = sqlite3_open_v2(uri, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    defer { sqlite3_close(database) }
    guard code == SQLITE_OK else {
      let system = sqlite3_system_errno(database)
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(Files.kind(of: system), path: path, "can't be opened: \(String(cString: strerror(system)))"))
    }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let read = file.pointee.pMethods?.pointee.xRead
    else { return [] }
    var bytes = [UInt8](repeating: 0, count: SeedHeader.size)
    let result = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32($0.count), 0) }
    return result == SQLITE_OK ? bytes : []
  }
}

// MARK: Findings

extension StoreFiles {
  private typealias Finding = DoctorReport.Finding
  private typealias Repair = DoctorReport.Repair

  private static let restore = Repair("restore a backup; `.recover` of the sqlite3 shell saves what can still be read into another file")

  /// The findings from the files alone.
  var findings: [DoctorReport.Finding] {
    var findings: [DoctorReport.Finding] = []
    if hasForeignWAL {
      findings.append(
        Finding(
          .foreignWAL, "a -wal lies beside a file that is not in WAL mode; whoever opens the file reads that WAL into it, whosever it is",
          repair: Repair("move the -wal away before anybody opens the store; the file was examined without it")))
    }
    findings += suspicions
    if hasHotJournal {
      findings.append(
        Finding(
          .interruptedWrite, "a writer was interrupted, and left a -journal of what it had begun",
          repair: Repair("open the store once, which takes back what was begun; it was examined as it is then")))
    }
    if let cut {
      findings.append(Finding(.truncated, "the file ends inside a page, and is refused as a store: \(cut)", repair: Self.restore))
    }
    return findings
  }

  /// Returns the finding against the WAL of a damaged file that is sound without it; nil where the WAL's own bytes show the problem
  /// already.
  var suspicionOfWAL: DoctorReport.Finding? {
    guard let wal, wal.size > 0, isWAL, !findings.contains(where: { $0.kind == .foreignWAL }),
      case .success(nil) = Result(catching: { try SQLiteFile.open(path, .readUnchanging) { try $0.firstDamage() } })
    else { return nil }
    return Finding(
      .foreignWAL, "the file is sound without its -wal, and damaged with it: the -wal seems to be of another file",
      repair: Repair("copy both files, and move the -wal away; or restore a backup"))
  }

  /// Returns the problems that the WAL's own bytes show; none if the WAL was written to meanwhile.
  private var suspicions: [DoctorReport.Finding] {
    guard let wal, wal.size > 0, isWAL, let log = try? WriteAheadLog(path + "-wal", of: headerBytes, size: size), let problem = log.problem,
      (try? Stamp(path + "-wal")) == wal, (try? Self.header(of: path)) == headerBytes,
      (try? WriteAheadLog(path + "-wal", of: headerBytes, size: size)) == log
    else { return [] }
    func interrupted(_ why: String) -> [Finding] {
      [
        Finding(
          .interruptedWrite,
          "the -wal ends in the middle of something: \(why); a writer was interrupted, or the file was cut when it was copied",
          repair: Repair("copy file and -wal once more where they are copies; else open the store once, which takes back what was begun"))
      ]
    }
    switch problem {
    // Somebody may be in the middle of a transaction.
    case .uncommitted where way == .beside: return []
    case .uncommitted: return interrupted("its last frames belong to no commit")
    case .cut(let why): return interrupted(why)
    case .foreign(let why):
      return [
        Finding(
          .foreignWAL,
          "the -wal seems to be of another file, or of an earlier state of this one: \(why); whoever opens the file reads it all the same",
          repair: Repair("copy both files; move the -wal away if the file is sound without it, and restore a backup if not"))
      ]
    case .damaged(let why):
      return [
        Finding(
          .damagedWAL, "the -wal is damaged, or was cut when it was copied: \(why)",
          repair: Repair("copy file and -wal once more from where they are whole, or restore a backup; what was committed last is not read")
        )
      ]
    }
  }

  /// The finding that SQLite can't open the file.
  func finding(of problem: DAOError.BootstrapProblem) -> DoctorReport.Finding {
    guard let header, problem.kind != .notADatabase else {
      return Finding(.notADatabase, "the file is no SQLite database: \(problem.message)", repair: Self.restore)
    }
    if let count = header.pageCount, size < count * header.pageSize {
      return Finding(.truncated, "the file has \(size / header.pageSize) of its \(count) pages", repair: Self.restore)
    }
    return Finding(.damage, "SQLite can't open the file: \(problem.message)", repair: Self.restore)
  }
}
