import Foundation

/// A row of `iso3166.tab`.
struct Country: Equatable {
  let code: String
  let name: String

  /// The countries of the file, in the order of their codes.
  static func all(in url: URL) throws -> [Country] {
    let file = try TabFile(url)
    var seen: Set<String> = []
    let countries = try file.rows.map { row in
      guard row.fields.count == 2 else { throw file.error(row, "has \(row.fields.count) fields, not the 2 of code and name") }
      let country = Country(code: row.fields[0], name: row.fields[1])
      guard country.code.utf8.count == 2, country.code.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else {
        throw file.error(row, "“\(country.code)” is not a country code of two capital letters")
      }
      guard !country.name.isEmpty else { throw file.error(row, "\(country.code) has no name") }
      guard seen.insert(country.code).inserted else { throw file.error(row, "\(country.code) is there twice") }
      return country
    }
    return countries.sorted { $0.code < $1.code }
  }
}
