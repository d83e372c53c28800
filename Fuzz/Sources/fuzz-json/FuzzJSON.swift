import DAOKit
import Foundation

/// What holds of every text: it is refused by a typed error, or it is a criteria that is written and read again as itself, and that the
/// renderer takes or refuses by a typed error.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let json = Data(UnsafeBufferPointer(start: start, count: count))
  do {
    let (entity, criteria) = try CriteriaDecoder().decode(json, of: Clock.entities)
    if isCrashPlanted, criteria.limit == 77 { fatalError("the planted crash") }
    let text = try criteria.json(of: entity)
    let again = try CriteriaDecoder(limits: .own).decode(Data(text.utf8), of: [entity])
    guard again.criteria == criteria, try again.criteria.json(of: entity) == text else {
      fatalError("it is read as another criteria: \(text)")
    }
    do { _ = try SearchCriteria<DynamicEntity>(criteria).sql(in: EntityTarget(entity)) } catch is DAOError {}
  } catch is DAOError {} catch { fatalError("an error without a type: \(error)") }
  return 0
}

/// Whether to crash on purpose, to show that a crash is found.
private let isCrashPlanted = ProcessInfo.processInfo.environment["PLANTED_CRASH"] != nil
