import DAOCriteria
import Foundation
import GRDB

// The base of the next upgrade: the seed as it was when the store was made from it, or last upgraded to it. Its name ends in the seed's
// fingerprint, by which the stamp in the store names it, and in a digest of its bytes. Others were left by a start that did not come to its
// end.
extension StorePaths {
  private static let baseMark = ".base-"

  /// The bases that a stamp names: one, or more where a start was killed.
  func bases(of stamp: SeedStamp) throws -> [String] {
    let prefix = store + Self.baseMark + stamp.fingerprint + "-"
    return try files(where: isBaseName).map(\.path).filter { try $0.hasPrefix(prefix) && isBase($0) }
  }

  /// Whether the base named by a stamp exists, by its name alone: newer seeds are merged into the store then. False where the folder can't
  /// be listed.
  func keepsBase(of stamp: SeedStamp) -> Bool {
    let prefix = store + Self.baseMark + stamp.fingerprint + "-"
    return (try? files(where: isBaseName).contains { $0.path.hasPrefix(prefix) }) ?? false
  }

  /// Whether a base is unchanged to the byte.
  func isWhole(base path: String) throws -> Bool { try path.hasSuffix("-" + FileDigest.of(file: path)) }

  /// Whether a file with a base's name is one: a copy of a seed, stamped with the fingerprint in its name. Its bytes are not compared with
  /// the digest.
  private func isBase(_ path: String) throws -> Bool {
    guard let status = try Files.status(path), status.isRegular, status.size > 0, try !Files.isLink(path) else { return false }
    do {
      return try Self.stamp(in: path).map { path.hasPrefix(store + Self.baseMark + $0.fingerprint + "-") } ?? false
    } catch DAOError.bootstrap(let problem) where [.notADatabase, .corrupt].contains(problem.kind) { return false }
  }

  /// The bases there are, and those that were before they were damaged. A file of another kind with this name is not a base.
  func bases() throws -> [URL] { try files(where: isBaseName).filter { try isBase($0.path) || wasBase($0.path) } }

  /// Whether a file begins as a database does, and SQLite finds it damaged before it comes to the stamp.
  private func wasBase(_ path: String) throws -> Bool {
    guard try !Files.isLink(path), try Files.status(path)?.isRegular == true, try SeedHeader(StoreFiles.header(of: path)) != nil else {
      return false
    }
    do { _ = try Self.stamp(in: path) } catch DAOError.bootstrap(let problem)
      where [.notADatabase, .corrupt].contains(problem.kind)
    { return true }
    return false
  }

  /// The stamp of a base. A byte in the schema may have made another name of one of its columns, which SQLite does not call damage.
  private static func stamp(in path: String) throws -> SeedStamp? {
    try SQLiteFile.open(path, .readUnchanging) { db in
      do { return try SeedStamp(reading: db) } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message)
      }
    }
  }

  /// Removes the bases but one, and what others have left beside each. To be called with the lock.
  func clearBases(besides held: String) throws {
    for path in try bases().map(\.path) {
      if path == held { Files.removeSidecars(of: path) } else { try Files.removeDatabase(path) }
    }
  }

  /// Gives a complete, lasting file the name of a base, permanently.
  /// - Returns: its path.
  func keepAsBase(_ path: String, _ stamp: SeedStamp) throws -> String {
    let base = try store + Self.baseMark + stamp.fingerprint + "-" + FileDigest.of(file: path)
    guard try Files.status(base) == nil || isBase(base) || wasBase(base) else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.system, path: base, "the name that the seed is to be kept under is taken"))
    }
    try Files.move(path, to: base)
    do { try Files.syncFolder(of: base) } catch {
      _ = try? Files.remove(base)
      throw error
    }
    return base
  }

  /// Whether the fingerprint of a seed and a digest stand after the mark.
  func isBaseName(_ name: String) -> Bool {
    let prefix = self.name + Self.baseMark
    let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
    return name.hasPrefix(prefix) && 1...2 ~= parts.count
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 } }
  }
}
