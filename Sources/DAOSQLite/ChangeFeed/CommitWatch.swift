import CDAOSystem
import Dispatch
import Foundation

/// Looks for commits of other processes while somebody follows the store.
///
/// A commit is a write to the WAL that is visible some time later, when it is on the medium. So whenever the WAL is written, the store is
/// asked again and again for a while; and once a second in any case, should the system report no writes.
final class CommitWatch: @unchecked Sendable {
  private let queue = DispatchQueue(label: "DAOKit.commits", qos: .utility)
  // Touched on the queue, as are those below. Nil while nobody follows.
  private var check: (@Sendable () -> Void)?
  private var path = ""
  private var source: (any DispatchSourceProtocol)?
  private var watched: FileIdentity?
  private var timer: (any DispatchSourceTimer)?
  // Whether the source is suspended. While checks are frequent, nobody is woken for each write: that costs whoever writes.
  private var isPaused = false
  private var lastWrite = ContinuousClock.now
  private var isSoon = false

  /// The time between two checks after a write, and how long they go on.
  private static let shortInterval: Duration = .milliseconds(25)
  private static let attention: Duration = .seconds(2)

  /// Begins where the store is followed and ends where it is not, as it is when the queue comes to it: of two changes of that at once the
  /// last one counts.
  /// - Parameters:
  ///   - path: the WAL.
  ///   - isFollowed: whether somebody follows the store.
  ///   - check: asks the store, without waiting.
  func update(path: String, isFollowed: @escaping @Sendable () -> Bool, check: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      stop()
      guard isFollowed() else { return }
      (self.path, self.check, lastWrite) = (path, check, .now)
      watch()
      schedule()
    }
  }

  /// Ends it.
  func end() { queue.async { [self] in stop() } }

  private func stop() {
    endSource()
    timer?.cancel()
    (timer, check) = (nil, nil)
  }

  private func watch() {
    endSource()
    watched = Self.file(at: path)
    let watch = dao_watch(path)
    guard watch >= 0 else { return }
    #if canImport(Darwin)
      let made = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: watch, eventMask: [.write, .extend, .attrib, .delete, .rename], queue: queue)
    #else
      let made = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
    #endif
    made.setEventHandler { [weak self] in
      dao_watch_drain(watch)
      self?.wasWritten()
    }
    made.setCancelHandler { close(watch) }
    made.resume()
    source = made
  }

  /// A file, whatever it is called.
  private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t
  }

  private static func file(at path: String) -> FileIdentity? {
    var status = stat()
    return stat(path, &status) == 0 ? FileIdentity(device: status.st_dev, number: status.st_ino) : nil
  }

  private func wasWritten() {
    lastWrite = .now
    pause(true)
    // A check that is due soon is not put off by each of many writes.
    if !isSoon { schedule() }
  }

  private func pause(_ pauses: Bool) {
    guard let source, pauses != isPaused else { return }
    if pauses { source.suspend() } else { source.resume() }
    isPaused = pauses
  }

  private func endSource() {
    // One that is suspended can't be released.
    pause(false)
    source?.cancel()
    source = nil
  }

  /// Sets the time of the next check.
  private func schedule() {
    let isRecent = ContinuousClock.now - lastWrite < Self.attention
    let interval = isRecent ? Self.shortInterval : .seconds(1)
    isSoon = isRecent
    // Writes since the last event are one event now.
    if !isRecent { pause(false) }
    timer?.cancel()
    let next = DispatchSource.makeTimerSource(queue: queue)
    next.setEventHandler { [weak self] in
      guard let self, let check else { return }
      check()
      // Where the WAL was removed and made again, another file has its name.
      if source == nil || Self.file(at: path) != watched { watch() }
      schedule()
    }
    next.schedule(deadline: .now() + interval / .seconds(1))
    timer = next
    next.resume()
  }
}
