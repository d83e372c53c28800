import Foundation

/// All that goes into the database.
struct World: Equatable {
  struct Zone: Equatable {
    let row: ZoneRow
    let standardOffset: Int
    let changes: [OffsetChange]
  }

  /// In the order of their codes.
  let countries: [Country]
  /// In the order of their names.
  let zones: [Zone]

  var changeCount: Int { zones.reduce(0) { $0 + $1.changes.count } }
}

extension World {
  /// Reads a folder of time zone data.
  init(zoneinfo folder: URL) throws {
    countries = try Country.all(in: folder.appendingPathComponent("iso3166.tab"))
    zones = try ZoneRow.all(in: folder.appendingPathComponent("zone1970.tab"), countries: countries).map { row in
      let url = folder.appendingPathComponent(row.name)
      let compiled = try CompiledZone(url)
      guard !compiled.isSlim else {
        throw InputError(
          url, "is a slim zone file: its changes up to 2037 are only a rule (\(compiled.footer)); compile it with zic -b fat")
      }
      return Zone(row: row, standardOffset: compiled.standardOffset, changes: compiled.changes)
    }
  }
}
