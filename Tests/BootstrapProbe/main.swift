// Test-only: a process that makes one store ready, or does something else to all of it, and says how it went, so that tests can end it, slow it
// down, or start two of it.
//
//   bootstrap-probe SEED|- STORE copy|replace|upgrade|erase|reset|destroy|backup [SECONDS]
//
// SECONDS is the patience with locks. A backup is made as `saved` beside the store.
import DAOCriteria
import DAOSQLite
import Foundation

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let arguments = CommandLine.arguments
guard 4...5 ~= arguments.count else { exit(2) }
let item = EntityDescription("item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text)])
let seed = arguments[1] == "-" ? SeedSource.none : .file(URL(fileURLWithPath: arguments[1]))
let store = URL(fileURLWithPath: arguments[2])
let patience = Duration.seconds(arguments.count == 5 ? Int(arguments[4]) ?? 30 : 30)
let bootstrapper = StoreBootstrapper(
  seed: seed, entities: [item], applicationID: 7, version: 9, lockTimeout: patience,
  mismatch: arguments[3] == "erase" ? .eraseInRelease : .fail)

func tell(_ report: BootstrapReport) {
  switch report.outcome {
  case .copied: say("end copied")
  case .created: say("end created")
  case .reused: say("end reused")
  case .replaced: say("end replaced")
  case .erased: say("end erased")
  case .reset: say("end reset")
  case .upgraded: say("end upgraded")
  case .adopted, .loaded, .inPlace: say("end otherwise")
  }
}

say("begin")
do {
  switch arguments[3] {
  case "reset": tell(try bootstrapper.reset(store) {})
  case "destroy":
    try SQLiteStore.file(store, applicationID: 7).destroy(removingBackups: true, within: patience)
    say("end destroyed")
  case "backup":
    let engine = try SQLiteEngine(opening: store)
    try engine.backUp(to: store.deletingLastPathComponent().appendingPathComponent("saved"), within: patience) { _, _ in }
    say("end saved")
    // What closing the store syncs is not to help the backup.
    withExtendedLifetime(engine) { exit(0) }
  default:
    let policies: [String: SeedPolicy] = ["replace": .replace, "upgrade": .upgrade(conflicts: .keepMine)]
    tell(try bootstrapper.bootstrap(store, policy: policies[arguments[3]] ?? .copyIfMissing))
  }
} catch DAOError.bootstrap(let problem) {
  say("end failed \(problem.kind.rawValue) \(problem)")
  exit(1)
} catch {
  say("end failed otherwise \(error)")
  exit(1)
}
