// Test-only: a process that makes one store ready and says how it went, so that tests can end it, slow it down, or start two of it.
//
//   bootstrap-probe SEED|- STORE copy|replace|upgrade [SECONDS]
//
// SECONDS is the patience with locks.
import DAOCriteria
import DAOSQLite
import Foundation

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let arguments = CommandLine.arguments
guard 4...5 ~= arguments.count else { exit(2) }
let item = EntityDescription("item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text)])
let bootstrapper = StoreBootstrapper(
  seed: arguments[1] == "-" ? .none : .file(URL(fileURLWithPath: arguments[1])), entities: [item], applicationID: 7, version: 9,
  lockTimeout: .seconds(arguments.count == 5 ? Int(arguments[4]) ?? 30 : 30))
let policies: [String: SeedPolicy] = ["copy": .copyIfMissing, "replace": .replace, "upgrade": .upgrade(conflicts: .keepMine)]
guard let policy = policies[arguments[3]] else { exit(2) }
say("begin")
do {
  let report = try bootstrapper.bootstrap(URL(fileURLWithPath: arguments[2]), policy: policy)
  switch report.outcome {
  case .copied: say("end copied")
  case .created: say("end created")
  case .reused: say("end reused")
  case .replaced: say("end replaced")
  case .upgraded: say("end upgraded")
  case .adopted, .loaded, .inPlace: say("end otherwise")
  }
} catch DAOError.bootstrap(let problem) {
  say("end failed \(problem.kind.rawValue) \(problem)")
  exit(1)
} catch {
  say("end failed otherwise \(error)")
  exit(1)
}
