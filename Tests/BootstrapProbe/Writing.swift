import DAOKit
import Foundation

/// Commits three rows at a time, from two threads, with a tally of its writer's commits, and says of each commit that it is there once it
/// is. Where `DAO_PROBE_FOLDERS` asks for it, a folder `said-WRITER-BATCH` beside the store says it too, to whoever records calls.
/// - Parameters:
///   - padding: how many letters each row has besides.
///   - inUnits: whether each commit is that of a unit of work, which has to keep its edits where it fails.
func writeBatches(padding: Int = 0, inUnits: Bool = false) throws {
  let (engine, _) = try StoreDescription.file(store, applicationID: 7, version: 9).open([item])
  let factory = DAOFactory(over: EngineStore(engine))
  say("begin")
  let failures = Failures()
  let makesFolders = ProcessInfo.processInfo.environment["DAO_PROBE_FOLDERS"] != nil
  let more = padding > 0 ? " " + String(repeating: "x", count: padding) : ""
  DispatchQueue.concurrentPerform(iterations: 2) { writer in
    func write(_ batch: Int, _ items: RuntimeDAO<DynamicEntity>) throws {
      for part in 0..<3 { _ = try items.insert(items.make(["name": .text("\(writer)-\(batch)-\(part)\(more)")])) }
      let name = Scalar.text("tally \(writer) \(batch + 1)")
      let tally = try items.update(.where(.field("name") == .text("tally \(writer) \(batch)")), set: .set("name", to: name))
      if tally == 0 { try items.insert(items.make(["name": name])) }
    }
    do {
      for batch in 0..<12 {
        if inUnits {
          let work = try factory.unitOfWork()
          try write(batch, work.runtimeDAO("item"))
          let edits = try work.changes.rows.count
          do { try work.commit() } catch {
            if try work.changes.rows.count != edits { exit(5) }
            throw error
          }
        } else {
          try factory.write { session in try write(batch, session.runtimeDAO("item")) }
        }
        if makesFolders, mkdir(store.deletingLastPathComponent().path + "/said-\(writer)-\(batch)", 0o755) != 0 { exit(4) }
        say("there \(writer)-\(batch)")
      }
    } catch { failures.add(error) }
  }
  if let error = failures.first { throw error }
  say("end written")
}

private final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var errors: [any Error] = []

  func add(_ error: any Error) { lock.withLock { errors.append(error) } }
  var first: (any Error)? { lock.withLock { errors.first } }
}

/// Opens the store, as one of several processes, and adds a row of its own. So that they are at it at once, it waits for a file that
/// `DAO_PROBE_GATE` names.
func join() throws {
  if let gate = ProcessInfo.processInfo.environment["DAO_PROBE_GATE"] { while access(gate, F_OK) != 0 { usleep(200) } }
  let (engine, report) = try StoreDescription.file(
    store, seed: seed, policy: policies[action] ?? .copyIfMissing, applicationID: 7, version: 9, migration: migration
  ).open([item])
  let items = try DAOFactory(over: EngineStore(engine)).runtimeDAO("item")
  _ = try items.insert(items.make(["name": .text("process \(getpid())"), "rank": .integer(2)]))
  say("end \(word(report))\(report.migration == nil ? "" : " migrated")")
}
