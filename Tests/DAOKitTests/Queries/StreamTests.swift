import CriteriaTesting
import DAOKit
import Foundation
import GRDB
import Testing

@testable import DAOCriteria

@Suite("A stream")
struct StreamTests {
  struct Stop: Error {}
  static let undecodable = "zone.offset in row 1200 expects an integer, not 'bad'"

  let file: FileStore
  let memory: TestStore
  var factories: [DAOFactory] { [file.factory, memory.factory] }

  init() throws {
    file = try FileStore()
    memory = try TestStore()
    for factory in factories { try factory.runtimeDAO(Zone.self).insert((1...2400).map { Zone("\($0)", $0 % 7, $0 % 3 == 0 ? nil : "x") }) }
  }

  /// Criteria of all kinds, each of `count` rows at most.
  static func criteria(_ count: Int) -> [SearchCriteria<Zone>] {
    let all = SearchCriteria<Zone>()
    return [
      all.filter(\.id <= Int64(count)), all.order(by: .descending(\.offset), .ascending(\.name)).limit(count),
      all.filter(\.comment == nil).limit(count), all.limit(count, offset: 77), all.filter(.in(\.name, ["1", "1200", "none"])),
      all.filter(.nothing), all.filter(\.offset == .max(\.offset) && \.id <= Int64(count)),
    ]
  }

  /// The entities of a stream.
  func all<E: Entity>(_ stream: EntityStream<E>) async throws -> [E] {
    var all: [E] = []
    for try await next in stream { all.append(next) }
    return all
  }

  /// Whether a connection is in the middle of a read: one that is keeps the WAL, with a commit of just now, from being folded in whole.
  func isReading() async throws -> Bool {
    try await file.zones.insert(Zone("\(UUID())", 0))
    let other = try DatabaseQueue(path: file.url.path)
    defer { try? other.close() }
    return try await other.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") != 0 }
  }

  @Test(arguments: [0, 1, 63, 64, 65, 191, 192, 193, 2400])
  func `has the rows of findAll in their order, batches full or not`(_ count: Int) async throws {
    for factory in factories {
      let zones = factory.runtimeDAO(Zone.self)
      for criteria in StreamTests.criteria(count) { #expect(try await all(zones.stream(criteria)) == zones.findAll(criteria)) }
      #expect(try await all(zones.stream(SearchCriteria().limit(count))).count == count)
    }
    #expect(try await !isReading())
  }

  @Test func `a dynamic entity`() async throws {
    let zones = try file.factory.runtimeDAO("zone")
    #expect(try await all(zones.stream(.where { $0.offset == 3 })) == zones.findAll(.where { $0.offset == 3 }))
  }

  @Test func `is confined to the DAO's scope`() async throws {
    for factory in factories {
      let mine = factory.dao { TenantDAO($0, tenant: "x") }
      let found = try await all(mine.stream(.where(\.id <= 1200)))
      #expect(found.count == 800 && found.allSatisfy { $0.comment == "x" })
      #expect(
        try mine.withCursor(.where(\.id <= 1200)) { cursor in
          var count = 0
          while try cursor.next() != nil { count += 1 }
          return count
        } == 800)
    }
  }

  @Test func `begins with its first row, and not before`() async throws {
    for factory in factories {
      let zones = factory.runtimeDAO(Zone.self)
      let stream = zones.stream(.where(\.offset == 100))
      var iterator = stream.makeAsyncIterator()
      try await zones.insert(Zone("late", 100))
      #expect(try await iterator.next()?.name == "late")
      #expect(try await iterator.next() == nil)
      #expect(try await iterator.next() == nil)
    }
  }

  @Test func `two loops over one stream are two runs, beside each other too`() async throws {
    for factory in factories {
      let stream = factory.runtimeDAO(Zone.self).stream(SearchCriteria().order(by: \.id))
      var (first, second) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
      for id in Int64(1)...2400 {
        #expect(try await first.next()?.id == id)
        #expect(try await second.next()?.id == id)
      }
      #expect(try await first.next() == nil)
      #expect(try await all(stream).count == 2400)
    }
  }

  @Test func `sees one snapshot, whatever is written between its rows`() async throws {
    let zones = file.zones
    var ids: [Int64?] = []
    for try await zone in zones.stream(SearchCriteria().order(by: \.id)) {
      ids.append(zone.id)
      if zone.id == 1 { try await zones.delete(.where(\.id > 1200)) }
      if zone.id == 1200 { try await zones.delete(.all, allowUnfiltered: true) }
    }
    #expect(ids == (1...2400).map { $0 })
    #expect(try await zones.count() == 0)
  }

  @Test func `a store in memory gives the rows that there were at the first`() async throws {
    let zones = memory.zones
    var count = 0
    for try await _ in zones.stream() {
      if count == 0 { try await zones.delete(.all, allowUnfiltered: true) }
      count += 1
    }
    #expect(count == 2400)
  }

  @Test func `a store that is read where it lies`() async throws {
    let copy = file.url.appendingPathExtension("copy")
    defer { try? FileManager.default.removeItem(at: copy) }
    try await file.zones.execute("VACUUM INTO \(copy.path)")
    let zones = try DAOFactory(store: .inPlace(.file(copy)), entities: Zone.self).runtimeDAO(Zone.self)
    #expect(try await all(zones.stream()) == zones.findAll())
  }

  @Test func `20 runs that are open keep nobody waiting, and the loops' bodies read and write`() async throws {
    let zones = file.zones
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          var rows = 0
          for try await zone in zones.stream(.where(\.id <= 2400)) {
            if rows % 100 == 0 {
              #expect(try Self.findHere(zone, zones) == [zone])
              #expect(try await zones.findAll(.where(\.id == zone.id)) == [zone])
              try await zones.insert(Zone("\(number) \(rows)", 0))
            }
            rows += 1
          }
          return rows
        }
      }
      for try await rows in group { #expect(rows == 2400) }
    }
    var iterators = (0..<20).map { _ in zones.stream().makeAsyncIterator() }
    for index in iterators.indices { #expect(try await iterators[index].next() != nil) }
    #expect(try await zones.count() == 2880)
    for index in iterators.indices { #expect(try await iterators[index].next() != nil) }
    #expect(try await isReading())
    iterators = []
    #expect(try await !isReading())
  }

  /// Finds a zone on the caller's thread.
  private static func findHere(_ zone: Zone, _ zones: RuntimeDAO<Zone>) throws -> [Zone] { try zones.findAll(.where(\.id == zone.id)) }

  @Test func `inside a session's closure a run that is open goes away without harm`() async throws {
    let kept = Kept()
    kept.iterator = file.zones.stream().makeAsyncIterator()
    _ = try await kept.iterator?.next()
    try dropInSession(kept)
    #expect(try await !isReading())
  }

  private final class Kept: @unchecked Sendable {
    // Set and read one after the other.
    var iterator: EntityStream<Zone>.Iterator?
  }

  private func dropInSession(_ kept: Kept) throws {
    try file.factory.write { (session) throws in
      kept.iterator = nil
      #expect(try session.runtimeDAO(Zone.self).count() == 2400)
    }
  }

  // MARK: The end

  @Test func `its connection goes back at once where the loop is left by break or a throw, or the iterator goes away`() async throws {
    let zones = file.zones
    for taken in [1, 63, 64, 65, 2400] {
      var count = 0
      for try await _ in zones.stream() {
        count += 1
        if count == taken { break }
      }
      #expect(try await !isReading())
      await #expect(throws: Stop.self) { for try await _ in zones.stream() { throw Stop() } }
      #expect(try await !isReading())
      var iterator: EntityStream<Zone>.Iterator? = zones.stream().makeAsyncIterator()
      for _ in 0..<min(taken, 1000) { _ = try await iterator?.next() }
      #expect(try await isReading())
      iterator = nil
      #expect(try await !isReading())
    }
  }

  @Test func `with the last batch its connection goes back, before the rows of that batch are handed out`() async throws {
    let engine = try StoreDescription.file(file.url).open([Zone.entityDescription]).engine
    let criteria = SearchCriteria<Zone>.where(\.id <= 300).criteria
    let batches = try EngineStore(engine).batches(Zone.self, in: EntityTarget(Zone.entityDescription), criteria)
    var found: [Int64] = []
    var isLast = false
    // How many rows a batch has depends on the time that they take; that the last one is the last is known with it, whatever it has.
    while !isLast {
      let batch = try batches.next()
      found += batch.entities.compactMap(\.id)
      isLast = batch.isLast
      #expect(try await isReading() != isLast)
    }
    #expect(found == Array(1...300))
    try engine.close(within: .seconds(60))
  }

  @Test(arguments: [0, 1, 64, 2200])
  func `a task that is cancelled gets no further row, and the connection goes back`(_ taken: Int) async throws {
    for zones in [file.zones, memory.zones] {
      // The iterator is still there when the connection is back.
      let kept = Kept()
      try await Task { try await Self.cancel(after: taken, zones, kept) }.value
      #expect(try await !isReading())
      withExtendedLifetime(kept) {}
    }
  }

  private static func cancel(after taken: Int, _ zones: RuntimeDAO<Zone>, _ kept: Kept) async throws {
    var iterator = zones.stream(.where(\.id <= 2400)).makeAsyncIterator()
    for _ in 0..<taken { #expect(try await iterator.next() != nil) }
    withUnsafeCurrentTask { $0?.cancel() }
    await #expect(throws: CancellationError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    kept.iterator = iterator
  }

  @Test func `a task that is cancelled after the last row has reached the end`() async throws {
    let stream = file.zones.stream(SearchCriteria().limit(3))
    try await Task { try await Self.cancelAtEnd(stream) }.value
  }

  private static func cancelAtEnd(_ stream: EntityStream<Zone>) async throws {
    var iterator = stream.makeAsyncIterator()
    for _ in 0..<3 { #expect(try await iterator.next() != nil) }
    withUnsafeCurrentTask { $0?.cancel() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `a row that can't be read is named by its number, comes after those before it, and is the end`() async throws {
    for factory in factories {
      let zones = factory.runtimeDAO(Zone.self)
      try await zones.execute("UPDATE zone SET offset = 'bad' WHERE id = 1201")
      var iterator = zones.stream(SearchCriteria().order(by: \.id)).makeAsyncIterator()
      if factory === file.factory { for id in Int64(1)...1200 { #expect(try await iterator.next()?.id == id) } }
      await #expect { while try await iterator.next() != nil {} } throws: { "\($0)" == StreamTests.undecodable }
      #expect(try await iterator.next() == nil)
      #expect(try await !isReading())
    }
  }

  @Test func `a query that does not fit is an error of the first row`() async throws {
    for factory in factories {
      var iterator = factory.runtimeDAO(Zone.self).stream(.where(.field("ofset") == 1)).makeAsyncIterator()
      await #expect { try await iterator.next() } throws: { "\($0)".contains("did you mean 'offset'?") }
      #expect(try await iterator.next() == nil)
    }
  }

  @Test func `a session's DAO has none, inside the session and after it`() async throws {
    for factory in factories {
      let stream = try await factory.read { $0.runtimeDAO(Zone.self).stream() }
      await #expect { try await all(stream) } throws: {
        if case DAOError.misuse(_, "withCursor; a session stays in its closure") = $0 { true } else { false }
      }
    }
  }

  @Test func `an open run keeps its store open, which is one file again after it`() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("stream-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: url) }
    func iterator() async throws -> EntityStream<Zone>.Iterator {
      let zones = try DAOFactory(store: .file(url), entities: Zone.self).runtimeDAO(Zone.self)
      try await zones.insert((1...2400).map { Zone("\($0)", 0) })
      return zones.stream().makeAsyncIterator()
    }
    for taken in [1, 1200, 2399] {
      var open: EntityStream<Zone>.Iterator? = try await iterator()
      for _ in 0..<taken { #expect(try await open?.next() != nil) }
      #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
      open = nil
      #expect(!FileManager.default.fileExists(atPath: url.path + "-wal") && !FileManager.default.fileExists(atPath: url.path + "-shm"))
      try FileManager.default.removeItem(at: url)
    }
  }
}
