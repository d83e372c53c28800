import ArgumentParser
import DAOKit
import Foundation
import WorldclockSeed

/// The store that the commands work on.
struct StoreOptions: ParsableArguments {
  @Option(help: "The store's file (default: in your data folder).") var store: String?
  @Option(help: "Play release 1, whose time zone data are of 2025, or 2, of 2026.") var release = 2
  @Flag(help: "Show each SQL statement on standard error.") var sql = false

  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store needs a path.") }
    if !(1...2).contains(release) { throw ValidationError("There are the releases 1 and 2.") }
  }

  /// First launch: the shipped database becomes the user's store. A later release ships newer data, which are merged into the store: what
  /// the user wrote stays.
  func description() throws -> StoreDescription {
    let url = try store.map { URL(fileURLWithPath: $0) } ?? StoreLocation.standard()
    let seed = release == 1 ? "worldclock.sqlite" : "worldclock-2026f.sqlite"
    return StoreDescription.file(
      url, seed: .resource(seed, in: WorldclockSeed.bundle), policy: .upgrade(conflicts: .keepMine), applicationID: 0x5743_4C4B, version: 2)
  }

  func open() throws -> DAOFactory {
    try DAOFactory(
      store: description(), entities: Country.self, Zone.self, ZoneCountry.self, Transition.self, Note.self, CountryZone.self,
      log: .environment(label: "worldclock"), trace: sql ? Text.showStatement : nil)
  }
}
