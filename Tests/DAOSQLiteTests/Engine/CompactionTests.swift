import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("Compacting a store")
struct CompactionTests {
  let folder: SQLiteEngineTests.Folder

  init() throws { folder = try SQLiteEngineTests.Folder() }

  @Test func `beside one who reads older rows does not wait for them, and says that the file has not shrunk`() throws {
    let url = try folder.store()
    let engine = try SQLiteEngine(opening: url)
    let store = EngineStore(engine)
    _ = try store.execute("INSERT INTO t (a) SELECT hex(randomblob(1000)) FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]')")
    _ = try engine.compact()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: url.path, configuration: configuration)
    try reader.inDatabase {
      try $0.execute(sql: "BEGIN")
      _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM t")
    }
    _ = try store.execute("DELETE FROM t")

    let compaction = try engine.compact()
    #expect(compaction.freed > 10_000)
    #expect(!compaction.hasShrunk)
    #expect(try engine.write(atomic: false) { ($0 as? DAOSQLite.SQLiteConnection)?.limits.sleepCount } == 0)
    let size = try #require(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect(size > Int(compaction.size))

    try reader.inDatabase { try $0.execute(sql: "COMMIT") }
    #expect(try engine.compact().hasShrunk)
    var now = url
    now.removeAllCachedResourceValues()
    #expect(try now.resourceValues(forKeys: [.fileSizeKey]).fileSize == Int(compaction.size))
  }
}
