import DAOCriteria
import Foundation

// The base of the next upgrade: the seed as it was when the store was made from it, or last upgraded to it. Its name ends in the seed's
// fingerprint; the stamp in the store says which one holds. Others were left by a start that did not come to its end.
extension StorePaths {
  private static let baseMark = ".base-"

  /// The base that a stamp names.
  func base(of stamp: SeedStamp) -> String { store + Self.baseMark + stamp.fingerprint }

  /// Whether a file with a base's name is one: a copy of a seed, stamped with the fingerprint in its name.
  func isBase(_ path: String) throws -> Bool {
    guard let status = try Files.status(path), status.isRegular, status.size > 0, try !Files.isLink(path) else { return false }
    do {
      return try SQLiteFile.open(path, .readUnchanging) { try SeedStamp(reading: $0).map(base) == path }
    } catch DAOError.bootstrap(let problem) where [.notADatabase, .corrupt].contains(problem.kind) { return false }
  }

  /// The bases there are, and those that were before they were damaged. A file of another kind that a person gave such a name is none.
  func bases() throws -> [URL] { try files(where: isBaseName).filter { try isBase($0.path) || wasBase($0.path) } }

  /// Whether a file begins as a database does, and SQLite finds it damaged before it comes to the stamp.
  private func wasBase(_ path: String) throws -> Bool {
    guard try !Files.isLink(path), try Files.status(path)?.isRegular == true, try SeedHeader(StoreFiles.header(of: path)) != nil else {
      return false
    }
    do { _ = try SQLiteFile.open(path, .readUnchanging) { try SeedStamp(reading: $0) } } catch DAOError.bootstrap(let problem)
      where [.notADatabase, .corrupt].contains(problem.kind)
    { return true }
    return false
  }

  /// Removes the bases that are left over. To be called with the lock.
  func clearBases(besides stamp: SeedStamp) throws {
    let held = base(of: stamp)
    for url in try bases() where url.path != held { try Files.remove(url.path) }
  }

  /// Gives a complete, lasting file the name of a base, for good.
  func keepAsBase(_ path: String, _ stamp: SeedStamp) throws {
    let base = base(of: stamp)
    // A file that is none has the name of one by no accident: it was one, and was damaged.
    guard try Files.status(base)?.isRegular != false else {
      throw DAOError.bootstrap(BootstrapProblem(.system, path: base, "the name that the seed is to be kept under is taken"))
    }
    try Files.move(path, to: base)
    do { try Files.syncFolder(of: base) } catch {
      _ = try? Files.remove(base)
      throw error
    }
  }

  /// Whether the fingerprint of a seed stands after the mark.
  func isBaseName(_ name: String) -> Bool {
    let prefix = URL(fileURLWithPath: store).lastPathComponent + Self.baseMark
    let fingerprint = name.dropFirst(prefix.count)
    return name.hasPrefix(prefix) && !fingerprint.isEmpty && fingerprint.utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
  }
}
