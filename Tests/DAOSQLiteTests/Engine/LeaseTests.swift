import DAOCriteria
import DAOSQL
import Foundation
import Testing

@testable import DAOSQLite

@Suite("Connections that are kept from call to call")
struct LeaseTests {
  let folder: SQLiteEngineTests.Folder
  let pool: ReaderPool
  let engine: SQLiteEngine

  init() throws {
    folder = try SQLiteEngineTests.Folder()
    let url = try folder.store()
    engine = try SQLiteEngine(opening: url)
    let path = SQLiteConfiguration.uri(url, "mode=ro")
    pool = ReaderPool { try Lane(path: path, SQLiteConfiguration(trace: nil).make(isReadOnly: true), isShared: false) }
  }

  @Test("a lease takes an idle connection or opens one, and gives it back when it goes away")
  func idle() throws {
    try pool.lend(for: engine) { _ in }
    #expect(pool.idleCount == 1)
    do {
      let first = try ReaderLease(from: pool, of: engine)
      #expect(pool.idleCount == 0)
      let second = try ReaderLease(from: pool, of: engine)
      #expect(try first.run { try $0.schema().tables.map(\.name) } == ["t"])
      #expect(try second.run { try $0.schema().tables.map(\.name) } == ["t"])
      withExtendedLifetime((first, second)) {}
    }
    #expect(pool.idleCount == 2)
  }

  @Test("leases take no place from those who read, and connections beyond the places close")
  func places() throws {
    var leases = try (0..<50).map { _ in try ReaderLease(from: pool, of: engine) }
    try pool.lend(for: engine) { _ in try pool.lend(for: engine) { _ in } }
    #expect(pool.idleCount == 2)
    leases.removeAll()
    #expect(pool.idleCount == max(4, ProcessInfo.processInfo.activeProcessorCount))
  }

  @Test("calls beyond the places wait")
  func waiting() throws {
    let (peak, done, pool, engine) = (Peak(), DispatchGroup(), pool, engine)
    for _ in 0..<(2 * max(4, ProcessInfo.processInfo.activeProcessorCount)) {
      done.enter()
      Thread.detachNewThread {
        do {
          try pool.lend(for: engine) { _ in
            peak.change(by: 1)
            Thread.sleep(forTimeInterval: 0.05)
            peak.change(by: -1)
          }
        } catch { Issue.record(error) }
        done.leave()
      }
    }
    done.wait()
    #expect(peak.highest <= max(4, ProcessInfo.processInfo.activeProcessorCount))
    #expect(peak.highest == pool.idleCount)
  }

  private final class Peak: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by the lock.
    private var (now, most) = (0, 0)
    var highest: Int { lock.withLock { most } }
    func change(by step: Int) {
      lock.withLock {
        now += step
        most = max(most, now)
      }
    }
  }

  @Test("a lease keeps its store open, which is one file again after it")
  func closing() throws {
    let url = try folder.store("closing.sqlite")
    var lease = try SQLiteEngine(opening: url).lease()
    #expect(try lease?.run { try $0.schema().tables.count } == 1)
    #expect(try folder.files.contains("closing.sqlite-wal"))
    lease = nil
    #expect(try folder.files.filter { $0.hasPrefix("closing") } == ["closing.sqlite"])
  }

  @Test("threads that share a lease take turns")
  func turns() throws {
    let lease = try ReaderLease(from: pool, of: engine)
    let (inside, done) = (Inside(), DispatchGroup())
    for _ in 0..<4 {
      done.enter()
      Thread.detachNewThread {
        do {
          try lease.run { (connection) throws in
            inside.count += 1
            Thread.sleep(forTimeInterval: 0.01)
            #expect(try lease.run { try $0.schema().tables.count } == 1)
            #expect(inside.count == 1)
            inside.count -= 1
          }
        } catch { Issue.record(error) }
        done.leave()
      }
    }
    done.wait()
  }

  private final class Inside: @unchecked Sendable {
    // Used inside the lease only.
    var count = 0
  }

  @Test("a store in memory has none to spare")
  func single() throws {
    #expect(try SQLiteEngine().lease() == nil)
    #expect(try engine.lease() != nil)
  }
}
