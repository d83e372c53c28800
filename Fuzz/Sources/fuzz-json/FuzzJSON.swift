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

  /// Whether to crash on purpose, to show that a crash is found.
  static let isCrashPlanted = ProcessInfo.processInfo.environment["PLANTED_CRASH"] != nil
}

/// What holds of every text: it is refused by a typed error, or it is a criteria that is written and read again as itself, and that the
/// renderer takes or refuses by a typed error. The name is the one that libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let json = Data(UnsafeBufferPointer(start: start, count: count))
  do {
    let (entity, criteria) = try CriteriaDecoder().decode(json, of: Clock.entities)
    if FuzzJSON.isCrashPlanted, let limit = criteria.limit, limit > 1000 { fatalError("the planted crash") }
    let text = try criteria.json(of: entity)
    let again = try CriteriaDecoder(limits: .own).decode(Data(text.utf8), of: [entity])
    guard again.criteria == criteria, try again.criteria.json(of: entity) == text else {
      fatalError("it is read as another criteria: \(text)")
    }
    do { _ = try SearchCriteria<DynamicEntity>(criteria).sql(in: EntityTarget(entity)) } catch is DAOError {}
  } catch is DAOError {} catch { fatalError("an error without a type: \(error)") }
  return 0
}
