import CFuzzer
import DAOKit
import Foundation

/// Feeds the reader of criteria in JSON with what libFuzzer makes up.
@main
struct FuzzJSON {
  static func main() {
    var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
    exit(LLVMFuzzerRunDriver(&count, &arguments) { start, count in test(start, count) })
  }

  /// Whether to crash on purpose, of something that the corpus does not have, to show that a crash is found.
  static let isCrashPlanted = ProcessInfo.processInfo.environment["PLANTED_CRASH"] != nil

  /// A store of SQLite's, whose own limits a query has to meet too.
  static let store: any EntityStore = {
    do { return try DAOFactory(store: .inMemory(), describedBy: Clock.entities).store } catch { fatalError("no store: \(error)") }
  }()
}

/// What holds of every text: it is refused by a typed error, or it is a query that is written and read again as itself, and that SQLite
/// takes or that is refused by a typed error; and what an allow-list lets through speaks of nothing else. The name is the one that
/// libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let json = Data(UnsafeBufferPointer(start: start, count: count))
  let entity: EntityDescription
  let criteria: Criteria
  // Only this may refuse: what was read once is sound.
  do { (entity, criteria) = try CriteriaDecoder(allowing: .everything).decode(json, of: Clock.entities) } catch DAOError.invalidCriteria(
    _, let problems)
  {
    if (try? Allowed.decoder.decode(json, of: Clock.entities)) != nil { fatalError("allowed only where less is allowed") }
    // What has several is nothing to build on.
    return problems.count > 1 ? -1 : 0
  } catch DAOError.newerCriteria { return 0 } catch { fatalError("an error that is not meant for this: \(error)") }

  if FuzzJSON.isCrashPlanted, case .any(let parts) = criteria.filter.node, parts.contains(where: \.isSome) {
    fatalError("the planted crash")
  }
  readAgain(criteria, of: entity)
  if let (_, allowed) = try? Allowed.decoder.decode(json, of: Clock.entities) {
    guard allowed == criteria else { fatalError("it is read as another criteria where less is allowed") }
    Allowed.check(allowed, of: entity)
  }
  ask(criteria, of: entity)
  return 0
}

private func readAgain(_ criteria: Criteria, of entity: EntityDescription) {
  do {
    let text = try criteria.json(of: entity)
    let again = try CriteriaDecoder(allowing: .everything, limits: .own).decode(Data(text.utf8), of: [entity])
    guard again.criteria == criteria, try again.criteria.json(of: entity) == text else {
      fatalError("it is read as another criteria: \(text)")
    }
  } catch { fatalError("what was read can't be written and read again: \(error)") }
}

private func ask(_ criteria: Criteria, of entity: EntityDescription) {
  let target = EntityTarget(entity)
  do {
    if criteria.columns.isEmpty {
      _ = try FuzzJSON.store.find(DynamicEntity.self, in: target, criteria)
    } else {
      _ = try FuzzJSON.store.report(in: target, criteria) { _ in }
    }
  } catch DAOError.engine(let failure) { fatalError("SQLite refuses it: \(failure)") } catch is DAOError {} catch {
    fatalError("an error that is not meant for this: \(error)")
  }
}

extension Criteria.Condition {
  fileprivate var isSome: Bool { if case .some = node { true } else { false } }
}
