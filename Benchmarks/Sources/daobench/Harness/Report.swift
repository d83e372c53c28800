import Foundation
import TextTable

extension Measurement {
  /// One line: `fetch-100k: c 0.340, daokit 0.360 µs/row: 1.06 × c (at most 1.10 × c; c strayed 0.8 %)`.
  var summary: String {
    let c = medians[.c]?.rounded(to: 3) ?? "–"
    let daokit = medians[.daokit]?.rounded(to: 3) ?? "–"
    let ratio = ratioToC.map { ": \($0.rounded(to: 2)) × c" } ?? ""
    let result = "\(workload): c \(c), daokit \(daokit) \(unit)\(ratio)"
    let memory = growth > 0 ? "; \(growth.megabytes) more memory" : ""
    return "\(result) (at most \(limit); c strayed \((stray * 100).rounded(to: 1)) %\(memory))"
  }
}

extension Limit: CustomStringConvertible {
  /// `1.10 × c`, or the number alone.
  var description: String {
    switch self {
    case .ratioToC(let number): "\(number.rounded(to: 2)) × c"
    case .value(let number): number.rounded(to: 2)
    }
  }
}

extension [Measurement] {
  /// A Markdown table.
  var table: String {
    TextTable<Measurement> { row in
      func cell(_ value: Double?, _ places: Int) -> String { value.map { $0.rounded(to: places) } ?? "–" }
      return [
        Column(title: "workload", value: row.workload),
        Column(title: "unit", value: row.unit),
        Column(title: "c", value: cell(row.medians[.c], 3), align: .right),
        Column(title: "daokit", value: cell(row.medians[.daokit], 3), align: .right),
        Column(title: "grdb", value: cell(row.medians[.grdb], 3), align: .right),
        Column(title: "grdbCodable", value: cell(row.medians[.grdbCodable], 3), align: .right),
        Column(title: "daokit / c", value: cell(row.ratioToC, 2), align: .right),
        Column(title: "at most", value: "\(row.limit)", align: .right),
        Column(title: "c strayed", value: "\((row.stray * 100).rounded(to: 1)) %", align: .right),
        Column(title: "daokit / grdb", value: cell(row.ratioToGRDB, 2), align: .right),
      ]
    }.string(for: self, style: Style.pipe) ?? ""
  }

  /// One JSON array.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

extension Measurement: Encodable {
  private enum Keys: String, CodingKey {
    case workload, unit, rounds, c, grdb, grdbCodable, daokit, ratioToC, ratioToGRDB
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    try object.encode(workload, forKey: .workload)
    try object.encode(unit, forKey: .unit)
    try object.encode(rounds, forKey: .rounds)
    // `encode` of nil writes null, where `encodeIfPresent` would leave the key out.
    try object.encode(medians[.c], forKey: .c)
    try object.encode(medians[.grdb], forKey: .grdb)
    try object.encode(medians[.grdbCodable], forKey: .grdbCodable)
    try object.encode(medians[.daokit], forKey: .daokit)
    try object.encode(ratioToC, forKey: .ratioToC)
    try object.encode(ratioToGRDB, forKey: .ratioToGRDB)
  }
}
