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
}

/// What holds of every text: it is refused by a typed error, or it is a criteria that is written and read again as itself, and that the
/// renderer takes or refuses by a typed error. The name is the one that libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let json = Data(UnsafeBufferPointer(start: start, count: count))
  do {
    let (entity, criteria) = try CriteriaDecoder(allowing: .everything).decode(json, of: Clock.entities)
    if FuzzJSON.isCrashPlanted, case .any(let parts) = criteria.filter.node, parts.contains(where: \.isSome) {
      fatalError("the planted crash")
    }
    let text = try criteria.json(of: entity)
    let again = try CriteriaDecoder(allowing: .everything, limits: .own).decode(Data(text.utf8), of: [entity])
    guard again.criteria == criteria, try again.criteria.json(of: entity) == text else {
      fatalError("it is read as another criteria: \(text)")
    }
    do { _ = try SearchCriteria<DynamicEntity>(criteria).sql(in: EntityTarget(entity)) } catch is DAOError {}
    return 0
  } catch DAOError.invalidCriteria(_, let problems) {
    // What has several is nothing to build on.
    return problems.count > 1 ? -1 : 0
  } catch DAOError.newerCriteria { return 0 } catch { fatalError("an error that is not meant for this: \(error)") }
}

extension Condition {
  fileprivate var isSome: Bool { if case .some = node { true } else { false } }
}
