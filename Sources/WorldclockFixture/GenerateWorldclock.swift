import ArgumentParser
import Foundation

/// Writes `Fixtures/worldclock.sqlite` from the machine's time zone data.
package struct GenerateWorldclock: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "generate-worldclock",
    abstract: "Writes the world clock's database from compiled time zone data.",
    discussion: """
      The same time zone data and the same SQLite give the same bytes. The compiled zones must be in their full form \
      (zic -b fat, as Debian ships them), so that every offset change until 2037 is in them.
      """)

  @Option(help: "The folder of iso3166.tab, zone1970.tab and the compiled zones.")
  var zoneinfo = "/usr/share/zoneinfo"

  @Option(help: "The file to write; replaced whole or not at all.")
  var output = "Fixtures/worldclock.sqlite"

  @Option(name: .customLong("release"), help: "The release of the app that ships it: the database's user_version.")
  var release: Int32 = 1

  package init() {}

  package func run() throws {
    let folder = URL(fileURLWithPath: zoneinfo, isDirectory: true)
    let world = try World(zoneinfo: folder)
    let database = WorldclockDatabase(world: world, release: release)
    let sqlite = try database.write(to: URL(fileURLWithPath: output))
    print("tzdata: \(timeZoneDataVersion(of: folder))")
    print("sqlite: \(sqlite)")
    print("\(output): \(world.countries.count) countries, \(world.zones.count) zones, \(world.changeCount) offset changes")
  }
}
