import Foundation
import Testing

@testable import WorldclockFixture

/// A way to spoil time zone data, and the error that must come of it.
struct Spoiled: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let file: String
  let line: Int?
  let reason: String
  let spoil: @Sendable (inout ZoneinfoFolder) -> Void

  init(
    _ description: String, _ file: String, _ line: Int? = nil, _ reason: String, _ spoil: @escaping @Sendable (inout ZoneinfoFolder) -> Void
  ) {
    (testDescription, self.file, self.line, self.reason, self.spoil) = (description, file, line, reason, spoil)
  }

  static func zone(_ description: String, _ reason: String, _ change: @escaping @Sendable (inout TZif) -> Void) -> Spoiled {
    Spoiled(description, "Europe/Prague", nil, reason) { $0.files["Europe/Prague"] = TZif.prague.changed(change).bytes }
  }

  static func coordinates(_ text: String) -> Spoiled {
    Spoiled("coordinates \(text)", "zone1970.tab", 2, "“\(text)” is not ±DDMM") {
      $0.zones = $0.zones.replacingOccurrences(of: "+2232+08822", with: text)
    }
  }

  static let tables: [Spoiled] = [
    Spoiled("no iso3166.tab rows", "iso3166.tab", nil, "has no rows") { $0.countries = "# none\n" },
    Spoiled("empty iso3166.tab", "iso3166.tab", nil, "is empty or cut off") { $0.countries = "" },
    Spoiled("iso3166.tab cut off", "iso3166.tab", nil, "is empty or cut off") { $0.countries.removeLast() },
    Spoiled("a country without a name", "iso3166.tab", 5, "XX has no name") { $0.countries += "XX\t\n" },
    Spoiled("a country of one field", "iso3166.tab", 5, "has 1 fields") { $0.countries += "XX Nowhere\n" },
    Spoiled("a code in small letters", "iso3166.tab", 5, "“xx” is not a country code") { $0.countries += "xx\tNowhere\n" },
    Spoiled("a country twice", "iso3166.tab", 5, "IN is there twice") { $0.countries += "IN\tIndia\n" },
    Spoiled("empty zone1970.tab", "zone1970.tab", nil, "is empty or cut off") { $0.zones = "" },
    Spoiled("a zone of two fields", "zone1970.tab", 4, "has 2 fields") { $0.zones += "IN\t+2232+08822\n" },
    Spoiled("an empty line", "zone1970.tab", 4, "has 1 fields") { $0.zones += "\n" },
    Spoiled("an unknown country", "zone1970.tab", 4, "unknown country code “XX”") { $0.zones += "IN,XX\t+0000+00000\tA/B\n" },
    Spoiled("no country", "zone1970.tab", 4, "unknown country code “”") { $0.zones += "\t+0000+00000\tA/B\n" },
    Spoiled("a zone's country twice", "zone1970.tab", 4, "names a country twice") { $0.zones += "IN,IN\t+0000+00000\tA/B\n" },
    Spoiled("a zone twice", "zone1970.tab", 4, "Asia/Kolkata is there twice") { $0.zones += "IN\t+0000+00000\tAsia/Kolkata\n" },
    Spoiled("a zone outside the folder", "zone1970.tab", 4, "is not a zone name") { $0.zones += "IN\t+0000+00000\t../Kolkata\n" },
    Spoiled("an absolute zone name", "zone1970.tab", 4, "is not a zone name") { $0.zones += "IN\t+0000+00000\t/Kolkata\n" },
    Spoiled("an empty comment", "zone1970.tab", 4, "has an empty comment") { $0.zones += "IN\t+0000+00000\tA/B\t\n" },
    coordinates(""), coordinates("+2232"), coordinates("2232+08822"), coordinates("+2260+08822"), coordinates("+9001+08822"),
    coordinates("+2232+18001"), coordinates("+22a2+08822"), coordinates("+223200+0882260"), coordinates("+2232+0882200"),
  ]

  static let zones: [Spoiled] = [
    Spoiled("a zone that is not there", "Europe/Prague", nil, "cannot be read") { $0.files["Europe/Prague"] = nil },
    Spoiled("an empty zone", "Europe/Prague", nil, "is cut off") { $0.files["Europe/Prague"] = [] },
    Spoiled("bytes after the footer", "Europe/Prague", nil, "goes on after its end") { $0.files["Europe/Prague"]?.append(1) },
    zone("a wrong magic", "is not a TZif file") { $0.magic = "TZiF" },
    zone("version 1", "is a TZif file of version 1") { $0.version = 0 },
    zone("leap seconds", "counts leap seconds") { $0.leapSeconds = 1 },
    zone("no types", "has no local time types") { $0.types = [] },
    zone("a transition to a missing type", "that is not there") { $0.transitions[1].type = 2 },
    zone("transitions out of order", "out of order") { $0.transitions.swapAt(0, 1) },
    zone("a transition twice", "out of order") { $0.transitions[1].instant = $0.transitions[0].instant },
    zone("an offset of 27 hours", "impossible offset") { $0.types[1].offset = 97_200 },
    zone("a daylight mark of 2", "impossible offset or daylight mark") { $0.types[1].isDaylight = 2 },
    zone("an abbreviation past the end", "without an abbreviation") { $0.types[1].name = 9 },
    zone("an abbreviation without an end", "without an abbreviation") { $0.names = "CET\0CEST" },
    zone("no footer", "no footer line") { $0.footer = "" },
    zone("a footer of one newline", "no footer line") { $0.footer = "\n" },
    zone("a footer of two lines", "no footer line") { $0.footer = "\nCET-1\nCET-1\n" },
  ]
}

@Suite("The generator refuses")
struct RefusalTests {
  @Test(arguments: Spoiled.tables + Spoiled.zones)
  func `malformed time zone data, naming file and line`(_ spoiled: Spoiled) throws {
    try withFolder { folder in
      var data = ZoneinfoFolder()
      spoiled.spoil(&data)
      try data.write(to: folder)
      let error = #expect(throws: InputError.self) { try World(zoneinfo: folder) }
      #expect(error?.path == folder.appendingPathComponent(spoiled.file).path)
      #expect(error?.line == spoiled.line)
      #expect(error?.reason.contains(spoiled.reason) == true, "\(error?.description ?? "nothing thrown")")
    }
  }

  @Test func `a zone cut off at any byte`() throws {
    try withFolder { folder in
      let whole = TZif.prague.bytes
      let url = folder.appendingPathComponent("zone")
      for count in 0..<whole.count {
        try Data(whole[..<count]).write(to: url)
        #expect(throws: InputError.self, "\(count) of \(whole.count) bytes") { try CompiledZone(url) }
      }
      try Data(whole).write(to: url)
      #expect(try CompiledZone(url).transitions.count == 4)
    }
  }

  @Test func `counts that the file does not have, before reserving anything for them`() throws {
    try withFolder { folder in
      var bytes = TZif.prague.bytes
      let timeCount = 51 + 32
      bytes.replaceSubrange(timeCount..<timeCount + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
      let url = folder.appendingPathComponent("zone")
      try Data(bytes).write(to: url)
      let error = #expect(throws: InputError.self) { try CompiledZone(url) }
      #expect(error?.reason.contains("is cut off") == true)
    }
  }

  @Test func `a folder without its tables`() throws {
    try withFolder { folder in
      let error = #expect(throws: InputError.self) { try World(zoneinfo: folder) }
      #expect(error?.path.hasSuffix("iso3166.tab") == true)
      try Data(ZoneinfoFolder().countries.utf8).write(to: folder.appendingPathComponent("iso3166.tab"))
      let next = #expect(throws: InputError.self) { try World(zoneinfo: folder) }
      #expect(next?.path.hasSuffix("zone1970.tab") == true)
    }
  }

  @Test(
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", 2, true), ("<+0330>-3:30<+0430>,J79/24,J263/24", 3, true), ("EST5EDT", 0, true),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 4, false), ("CET-1", 2, false), ("<-03>3", 0, false), ("", 2, false),
    ])
  func `a zone whose rule goes on after its last change`(footer: String, transitions: Int, refused: Bool) throws {
    try withFolder { folder in
      var data = ZoneinfoFolder()
      data.files["Europe/Prague"] =
        TZif.prague.changed {
          $0.footer = "\n\(footer)\n"
          $0.transitions.removeLast($0.transitions.count - transitions)
        }.bytes
      try data.write(to: folder)
      if refused {
        let error = #expect(throws: InputError.self) { try World(zoneinfo: folder) }
        #expect(error?.path.hasSuffix("Europe/Prague") == true)
        #expect(error?.reason.contains("is a slim zone file") == true)
      } else {
        #expect(try World(zoneinfo: folder).changeCount == transitions)
      }
    }
  }

  @Test(
    .enabled(if: Machine.has(Machine.zic, Machine.zoneSource) && Machine.hasZoneinfo, "needs zic and the zones' source"),
    arguments: ["slim", "fat"])
  func `zones that zic made slim, and takes the same zones made fat`(form: String) throws {
    try withFolder { folder in
      _ = try Machine.output(of: Machine.zic, ["-b", form, "-d", folder.path, Machine.zoneSource.path])
      for table in ["iso3166.tab", "zone1970.tab"] {
        try FileManager.default.copyItem(at: Machine.zoneinfo.appendingPathComponent(table), to: folder.appendingPathComponent(table))
      }
      if form == "slim" {
        let error = #expect(throws: InputError.self) { try World(zoneinfo: folder) }
        #expect(error?.reason.contains("is a slim zone file") == true)
      } else {
        #expect(try World(zoneinfo: folder).changeCount > 17_000)
      }
    }
  }
}
