import DAOKit
import Foundation

/// Uses each database of a folder, which may be damaged in any way, as a seed, in place, as a store and as a doctor's patient, and says how
/// it went, a line for each: `NAME USE ok WHAT` or `NAME USE failed KIND`. An end without a line is a crash or a hang.
func useDamaged() throws {
  let folder = store
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sqlite") }.sorted()
  for name in names {
    let file = folder.appendingPathComponent(name)
    for use in ["seed", "manifest", "memory", "inPlace", "upgrade", "doctor", "store"] {
      // Ends the process.
      alarm(30)
      do {
        say("\(name) \(use) ok \(try outcome(of: file, use))")
      } catch DAOError.bootstrap(let problem) { say("\(name) \(use) failed \(problem.kind.rawValue)") } catch let error as DAOError {
        say("\(name) \(use) failed \("\(error)".prefix(60).replacing("\n", with: " "))")
      }
    }
  }
  alarm(0)
  say("end used")
}

/// Uses a database.
/// - Returns: a word for what was done with it, or found.
private func outcome(of file: URL, _ use: String) throws -> String {
  let work = FileManager.default.temporaryDirectory.appendingPathComponent("dao-damaged-\(getpid())")
  try? FileManager.default.removeItem(at: work)
  try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: work) }
  let place = work.appendingPathComponent("store")
  switch use {
  case "seed", "manifest":
    return try read(.file(place, seed: .file(file, requiresManifest: use == "manifest"), applicationID: 7, version: 9))
  case "memory": return try read(.inMemory(seed: .file(file), version: 9))
  case "inPlace": return try read(.inPlace(.file(file), applicationID: 7, version: 9))
  case "upgrade":
    _ = try read(.file(place, seed: seed, policy: .upgrade(conflicts: .keepMine), applicationID: 7, version: 9))
    return try read(.file(place, seed: .file(file), policy: .upgrade(conflicts: .keepMine), applicationID: 7, version: 9))
  case "doctor":
    let findings = try StoreDoctor(describedBy: [item]).examine(file).findings
    return findings.contains { $0.severity != .note } ? "damaged" : "sound"
  default:
    // A store is written to when it opens; the damaged file itself is not to be.
    try FileManager.default.copyItem(at: file, to: place)
    let before = try Data(contentsOf: place)
    do { _ = try StoreDescription.file(place, applicationID: 7, version: 9).open([item]) } catch {
      guard try Data(contentsOf: place) == before else { return "WRITTEN" }
      throw error
    }
    return try read(.file(place, applicationID: 7, version: 9))
  }
}

/// Opens a store and reads all that it has.
private func read(_ store: StoreDescription) throws -> String {
  let (engine, report) = try store.open([item])
  let items = try DAOFactory(over: EngineStore(engine)).runtimeDAO("item")
  _ = try items.findAll()
  _ = try items.count()
  return word(report)
}
