import DAOKit
import Foundation

/// The criteria of zones that a JSON text says.
func decoded(
  _ json: String, allowing list: CriteriaAllowList = .everything, limits: CriteriaLimits = CriteriaLimits()
) throws -> SearchCriteria<Clock.Zone> {
  try CriteriaDecoder(allowing: list, limits: limits).decode(SearchCriteria<Clock.Zone>.self, from: Data(json.utf8))
}

/// The JSON text around a filter of zones.
func json(filter: String) -> String { #"{"version":1,"entity":"zone","filter":\#(filter)}"# }

/// Runs a body on a thread with the small stack that a thread of an app may have.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  let box = Handed<Result>()
  let thread = Thread {
    box.result = Swift.Result { try body() }
    box.done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  box.done.wait()
  guard let result = box.result else { throw CancellationError() }
  return try result.get()
}

private final class Handed<Value>: @unchecked Sendable {
  // Set on the thread, read when it has finished.
  var result: Result<Value, any Error>?
  let done = DispatchSemaphore(value: 0)
}
