import Foundation

/// Runs a body on a thread with the small stack that a thread of an app may have.
package func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
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
