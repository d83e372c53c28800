import DAOKit
import Foundation

/// Suspends what the process does when it gets SIGUSR1, and says so in a line, with how long it took and how many locks the process has
/// then:
/// `suspended MICROSECONDS LOCKS`.
final class Suspender: Sendable {
  private let isDone = DispatchSemaphore(value: 0)

  /// - Parameter gate: a file that is made when calls are refused.
  init(_ suspension: Suspension, gate: String) {
    // In all threads, which are made later.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.detachNewThread {
      while !suspension.isSuspended { usleep(100) }
      close(open(gate, O_WRONLY | O_CREAT, 0o644))
    }
    let isDone = isDone
    Thread.detachNewThread { [signals] in
      var (signals, signal) = (signals, CInt(0))
      sigwait(&signals, &signal)
      let start = ContinuousClock.now
      do { try suspension.suspend(within: .seconds(60)) } catch { say("suspended in vain: \(error)") }
      let time = ContinuousClock.now - start
      say("suspended \(Int(time / .microseconds(1))) \(Self.lockCount())")
      isDone.signal()
    }
  }

  /// How many locks the process has.
  private static func lockCount() -> Int {
    // Foundation takes the first piece for all of a file without a size.
    guard let list = fopen("/proc/locks", "r") else { return -1 }
    defer { fclose(list) }
    var (line, capacity, count) = (nil as UnsafeMutablePointer<CChar>?, 0, 0)
    defer { free(line) }
    while getline(&line, &capacity, list) > 0, let text = line.map({ String(cString: $0) }) {
      if text.split(separator: " ").contains("\(getpid())") { count += 1 }
    }
    return count
  }

  /// Waits for the suspension, where there is one.
  func finish() { if suspension.isSuspended { isDone.wait() } }
}
