import Foundation

/// A small folder of time zone data that a test can make and spoil.
struct ZoneinfoFolder {
  var countries = "# countries\nIN\tIndia\nCZ\tCzech Republic\nSK\tSlovakia\n"
  var zones = "# zones\nIN\t+2232+08822\tAsia/Kolkata\nCZ,SK\t+5005+01426\tEurope/Prague\tboth\n"
  var files: [String: [UInt8]] = ["Asia/Kolkata": TZif.kolkata.bytes, "Europe/Prague": TZif.prague.bytes]

  func write(to folder: URL) throws {
    try Data(countries.utf8).write(to: folder.appendingPathComponent("iso3166.tab"))
    try Data(zones.utf8).write(to: folder.appendingPathComponent("zone1970.tab"))
    for (name, bytes) in files {
      let url = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
  }
}

/// A compiled zone as a test writes it.
struct TZif {
  struct LocalTime {
    var offset: Int
    var isDaylight: UInt8 = 0
    var name: UInt8
  }

  var magic = "TZif"
  var version = UInt8(ascii: "2")
  var leapSeconds = 0
  var transitions: [(instant: Int64, type: UInt8)]
  var types: [LocalTime]
  var names: String
  var footer: String

  static let kolkata = TZif(transitions: [], types: [LocalTime(offset: 19_800, name: 0)], names: "IST\0", footer: "\nIST-5:30\n")

  /// Two summers; the last in 2037, as in a full file.
  static let prague = TZif(
    transitions: [(1_774_746_000, 1), (1_792_890_000, 0), (2_121_901_200, 1), (2_140_045_200, 0)],
    types: [LocalTime(offset: 3600, name: 0), LocalTime(offset: 7200, isDaylight: 1, name: 4)],
    names: "CET\0CEST\0", footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n")

  func changed(_ change: (inout TZif) -> Void) -> TZif {
    var copy = self
    change(&copy)
    return copy
  }

  var bytes: [UInt8] {
    func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
    func header(_ counts: [Int]) -> [UInt8] {
      Array(magic.utf8) + [version] + [UInt8](repeating: 0, count: 15) + counts.flatMap { big(UInt32($0)) }
    }
    let first = header([0, 0, 0, 0, 1, 1]) + [UInt8](repeating: 0, count: 7)
    var second = header([0, 0, leapSeconds, transitions.count, types.count, names.utf8.count])
    second += transitions.flatMap { big($0.instant) } + transitions.map(\.type)
    second += types.flatMap { big(Int32($0.offset)) + [$0.isDaylight, $0.name] }
    second += Array(names.utf8) + [UInt8](repeating: 0, count: leapSeconds * 12)
    return first + second + Array(footer.utf8)
  }
}
