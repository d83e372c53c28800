import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// Those who follow a store: many, slow ones, and ones that come and go.
@Suite("Followers")
struct FollowerTests {
  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `others go on when some of the followers of an entity end`(kind: ChangeFeedTests.Kind) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    var changes = try factory.changes(of: Zone.self).makeAsyncIterator()
    var withAttributes = try factory.changes(of: Zone.self, attributes: true).makeAsyncIterator()
    for _ in 0..<3 { _ = try factory.changes(of: Zone.self, attributes: true) }
    var zone = try syncly { try zones.insert([Zone("first", 1)])[0] }
    zone.offset = 2
    try syncly { try zones.update(zone) }
    for isLast in [false, true] {
      let (set, other) = (await changes.next()?[Zone.self], await withAttributes.next()?[Zone.self])
      #expect(set?.updatedAttributes == nil && other?.needsReload == false)
      if isLast { #expect(other?.updatedAttributes == [["offset"]]) }
      #expect((isLast ? set?.updated : set?.inserted) == [try #require(zone.id)])
    }
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `a closure that does not return holds up nobody, and gets one change set for all that it missed`(
    kind: ChangeFeedTests.Kind
  ) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    let (began, goesOn, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let received = Received()
    let observer = try factory.onChange(of: Zone.self, buffering: 4) { set in
      let count = received.add(set)
      if count == 1 {
        began.signal()
        goesOn.wait()
      }
      if count == 3 { ended.signal() }
    }
    try syncly {
      try zones.insert(Zone("first", 1))
      began.wait()
      for number in 0..<10 { try zones.insert(Zone("more \(number)", 1)) }
      goesOn.signal()
      ended.wait()
    }
    observer.cancel()
    // Four wait; the fifth stands for all five, and once more.
    let sets = received.all
    #expect(sets.map { $0.number - sets[0].number } == [0, 9, 10])
    #expect(sets.map(\.needsReload) == [false, true, false])
  }

  private final class Received: @unchecked Sendable {
    private let lock = NSLock()
    private var sets: [ChangeSet] = []

    func add(_ set: ChangeSet) -> Int {
      lock.withLock {
        sets.append(set)
        return sets.count
      }
    }

    var all: [ChangeSet] { lock.withLock { sets } }
  }
}
