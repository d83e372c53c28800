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
  /// Rows go in by the order of the files and, in a file, of its rows; references may lead to rows that come later. Files are read row by
  /// row.
  /// - Parameters:
  ///   - files: the files; several may be of one entity.
  ///   - seed: where the seed goes, in place of an earlier one; its manifest lies beside it.
  /// - Returns: the manifest.
  /// - Throws: ``SeedPacker/Failure/rows(_:)`` with the problems of the rows of all files, the first hundred: these include keys and unique
  ///   values that occur twice, in rows with other problems too, and values that the Swift type of an entity refuses;
  ///   ``SeedPacker/Failure/unsound(_:)``, for a reference without its row too; ``DAOError/unknownEntity(name:known:nearest:)``;
  ///   ``DAOError/bootstrap(_:)`` where a file can't be read or written, or the seed would replace one of `files`. An earlier seed is
  ///   unchanged then.
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
      var problems: [SeedPacker.Failure.RowProblem] = []
      var places: [String: [Int64: SeedRowPlace]] = [:]
      var refused = RefusedRows()
      var readings = Dictionary(types.map { ($0.entityDescription.name, SeedRowReading($0)) }, uniquingKeysWith: { first, _ in first })
      for file in files {
        guard let entity = known[file.entity] else { continue }
        var reader = SeedFileReader(file, entity, limit: Self.problemLimit - problems.count)
        try reader.read { row, values, isSound in
          let place = SeedRowPlace(file: file.url.lastPathComponent, row: row)
          // A type may have something against a row for its key, which it may only get when it is in.
          let awaitsKey = entity.hasGeneratedKey && entity.key.attributes.first.flatMap(entity.position).map { values[$0].isNull } == true
          var found = isSound && awaitsKey ? [] : readings[entity.name]?.problems(in: values) ?? []
          if isSound, found.isEmpty {
            do {
              let number = try rows.insert(values, into: entity)
              places[entity.name, default: [:]][number] = place
              found = readings[entity.name]?.problems(in: values, generatedKey: number) ?? []
              return found + refused.doubles(of: values, in: entity)
            } catch let error as DAOError {
              found = try rows.doubles(of: values, in: entity, places[entity.name] ?? [:])
              if awaitsKey { found = (readings[entity.name]?.problems(in: values) ?? []) + found }
              // Another rule than that rows differ.
              if found.isEmpty { throw error }
            }
          } else {
            found += try rows.doubles(of: values, in: entity, places[entity.name] ?? [:])
          }
          found += refused.doubles(of: values, in: entity, besides: found)
          refused.add(values, of: entity, at: place)
          return found
        }
        problems += reader.problems
        if problems.count >= Self.problemLimit { break }
      }
      guard problems.isEmpty else { throw SeedPacker.Failure.rows(problems) }
    }
  }

  private static var problemLimit: Int { 100 }
}

/// The position at which a row of a seed was read.
struct SeedRowPlace {
  let file: String
  let row: Int
}

extension SeedRows {
  /// The keys and unique values of a row that another has already, each with where that was read.
  func doubles(
    of values: [StoredValue], in entity: EntityDescription, _ places: [Int64: SeedRowPlace]
  ) throws -> [SeedRowProblem] {
    try entity.uniques.compactMap { names in
      let positions = names.compactMap { entity.position(of: $0) }
      let own = positions.map { values[$0] }
      // Null is like no other.
      guard !own.contains(.null), let number = try row(of: entity, where: positions.map { entity.attributes[$0] }, are: own) else {
        return nil
      }
      return SeedRowProblem(double: names, own, as: places[number])
    }
  }
}
