// Test-only: a process that makes one store ready, or does something else to all of it, and says how it went, so that tests can end it,
// slow it down, let its calls fail, or start several of it.
//
//   bootstrap-probe SEED|- STORE ACTION [SECONDS]
//
// ACTION is copy, replace, upgrade, migrate, migrateUpgrading, erase, reset, destroy, backup, write, writeHeavily, writeUnits, join or
// damaged.
//
// SECONDS is how long it waits for locks. A backup is made as `saved` beside the store.
import DAOKit
import Foundation

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

// A hang ends it.
alarm(300)
let arguments = CommandLine.arguments
guard 4...5 ~= arguments.count else { exit(2) }
let action = arguments[3]
let seed = arguments[1] == "-" ? SeedSource.empty : .file(URL(fileURLWithPath: arguments[1]))
let store = URL(fileURLWithPath: arguments[2])
let lockTimeout = Duration.seconds(arguments.count == 5 ? Int(arguments[4]) ?? 30 : 30)

/// What the rows are of the app's first release, and of the second.
let isMigrating = action.hasPrefix("migrate") || action == "join"
let item = EntityDescription(
  "item", key: .generated("id"),
  attributes: [Attribute("id", .integer), Attribute("name", .text)] + (isMigrating ? [Attribute("rank", .integer)] : []))
let migration = Migration(
  .fill("item", "rank", with: .integer(1)),
  steps: [.after(9, "marks each name") { _ = try $0.execute("UPDATE item SET name = name || '!'") }])

let policies: [String: SeedPolicy] = [
  "replace": .replace, "upgrade": .upgrade(conflicts: .keepMine), "migrateUpgrading": .upgrade(conflicts: .keepMine),
  "join": .upgrade(conflicts: .keepMine),
]
let bootstrapper = StoreBootstrapper(
  seed: seed, entities: [item], applicationID: 7, version: 9, migration: isMigrating ? migration : nil, lockTimeout: lockTimeout,
  mismatch: action == "erase" ? .eraseInRelease : .fail)

func word(_ report: BootstrapReport) -> String {
  switch report.outcome {
  case .copied: "copied"
  case .created: "created"
  case .reused: "reused"
  case .replaced: "replaced"
  case .erased: "erased"
  case .reset: "reset"
  case .upgraded: "upgraded"
  case .adopted, .loaded, .inPlace: "otherwise"
  }
}

let suspension = Suspension()
let suspender = ProcessInfo.processInfo.environment["DAO_SHIM_GATE"].map { Suspender(suspension, gate: $0) }

// What opens a store first begins when it is open.
if !["backup", "write", "writeHeavily", "writeUnits"].contains(action) { say("begin") }
do {
  switch action {
  case "reset":
    let reset = StoreDescription.file(store, seed: seed, applicationID: 7, version: 9).following(suspension)
    say("end \(word(try reset.reset([item], within: lockTimeout) {}))")
  case "destroy":
    try StoreDescription.file(store, applicationID: 7).following(suspension).destroy(removingBackups: true, within: lockTimeout)
    say("end destroyed")
  case "backup":
    let (engine, _) = try StoreDescription.file(store, applicationID: 7, version: 9).following(suspension).open([])
    say("begin")
    try engine.backUp(to: store.deletingLastPathComponent().appendingPathComponent("saved"), within: lockTimeout) { _, _ in }
    say("end saved")
    // What closing the store syncs is not to help the backup.
    withExtendedLifetime(engine) { exit(0) }
  case "write": try writeBatches()
  // Twice what SQLite lets a WAL grow to.
  case "writeHeavily": try writeBatches(padding: 120_000)
  case "writeUnits": try writeBatches(inUnits: true)
  case "join": try join()
  case "damaged": try useDamaged()
  default:
    let policy = policies[action] ?? .copyIfMissing
    say("end \(word(try suspension.run { try bootstrapper.bootstrap(store, policy: policy) }))")
  }
  suspender?.finish()
} catch DAOError.suspended {
  suspender?.finish()
  say("end failed suspended")
  exit(1)
} catch DAOError.bootstrap(let problem) {
  say("end failed \(problem.kind.rawValue) \(problem)")
  exit(1)
} catch let error as DAOError {
  say("end failed otherwise \(error)")
  exit(1)
} catch {
  say("end without a type \(error)")
  exit(3)
}
