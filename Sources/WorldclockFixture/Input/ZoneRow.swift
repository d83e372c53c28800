import Foundation

/// A row of `zone1970.tab`: a zone whose clocks have agreed since 1970.
struct ZoneRow: Equatable {
  let name: String
  /// The countries it overlaps; the one with its biggest city first.
  let countryCodes: [String]
  let coordinates: Coordinates
  let comment: String?

  /// The zones of the file, in the order of their names.
  static func all(in url: URL, countries: [Country]) throws -> [ZoneRow] {
    let file = try TabFile(url)
    let known = Set(countries.map(\.code))
    var seen: Set<String> = []
    let zones = try file.rows.map { row in
      guard 3...4 ~= row.fields.count else {
        throw file.error(row, "has \(row.fields.count) fields, not the 3 or 4 of countries, coordinates, name and comment")
      }
      let codes = row.fields[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if let unknown = codes.first(where: { !known.contains($0) }) { throw file.error(row, "unknown country code “\(unknown)”") }
      guard Set(codes).count == codes.count else { throw file.error(row, "names a country twice") }
      guard let coordinates = Coordinates(row.fields[1]) else {
        throw file.error(row, "“\(row.fields[1])” is not ±DDMM±DDDMM or ±DDMMSS±DDDMMSS")
      }
      let name = row.fields[2]
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      // The name becomes a path below the folder, and must not lead out of it.
      guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { throw file.error(row, "“\(name)” is not a zone name") }
      guard seen.insert(name).inserted else { throw file.error(row, "\(name) is there twice") }
      let comment = row.fields.count == 4 ? row.fields[3] : nil
      guard comment != "" else { throw file.error(row, "has an empty comment") }
      return ZoneRow(name: name, countryCodes: codes, coordinates: coordinates, comment: comment)
    }
    return zones.sorted { $0.name < $1.name }
  }
}
