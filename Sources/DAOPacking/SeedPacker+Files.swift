import DAOCriteria
import DAOKit
import DAOSQLite
import Foundation

extension SeedPacker {
  /// Packs the rows of files.
  ///
  /// ```swift
  /// import DAOPacking
  ///
  /// let packer = SeedPacker(Zone.self, City.self, applicationID: 0x44414F31, version: 3)
  /// try packer.pack([.json(zones, of: Zone.self), .csv(cities, of: City.self)], to: URL(fileURLWithPath: "Resources/clock.sqlite"))
  /// ```
  ///
  /// Rows go in by the order of the files and, in a file, of its rows; references may lead to rows that come later. A file is read into memory
  /// as a whole.
  /// - Parameters:
  ///   - files: the files; several may be of one entity.
  ///   - seed: where the seed goes, in place of an earlier one; its manifest lies beside it.
  /// - Returns: the manifest.
  /// - Throws: ``PackingError/rows(_:)`` with what is wrong with the rows of all files, the first hundred of it;
  ///   ``PackingError/unsound(_:)``, for a reference without its row too; ``DAOError/constraint(_:entity:attributes:message:)`` where two rows have
  ///   one key or unique value; ``DAOError/unknownEntity(name:known:nearest:)``; ``DAOError/bootstrap(_:)`` where a file can't be read or
  ///   written, or the seed would take the place of one of `files`. An earlier seed is as it was then.
  @discardableResult
  public func pack(_ files: [SeedFile], to seed: URL) throws -> SeedManifest {
    let known = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for file in files {
      guard let entity = known[file.entity] else {
        throw DAOError.unknownEntity(
          name: file.entity, known: known.keys.sorted(), nearest: Nearest.name(to: file.entity, among: known.keys.sorted()))
      }
      if entity.isReadOnly { throw DAOError.readOnly(entity: entity.name, reason: "it is a view, which has no rows of its own") }
    }
    return try pack(to: seed, from: files.map(\.url)) { rows in
      var problems: [PackingError.RowProblem] = []
      for file in files {
        guard let entity = known[file.entity] else { continue }
        var reader = SeedFileReader(file, entity, limit: Self.problemLimit - problems.count)
        // Once something is wrong, the rest is read for what else is.
        try reader.read { if problems.isEmpty { try rows.insert($0, into: entity) } }
        problems += reader.problems
        if problems.count >= Self.problemLimit { break }
      }
      guard problems.isEmpty else { throw PackingError.rows(problems) }
    }
  }

  private static var problemLimit: Int { 100 }
}
