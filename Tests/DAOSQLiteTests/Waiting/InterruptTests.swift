import DAOCriteria
import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import DAOSQLite

@Suite("Suspending what uses a connection of its own")
struct InterruptTests {
  /// `PRAGMA integrity_check` asks no progress handler; here none is installed.
  @Test func `its statement is interrupted in the middle`() throws {
    let suspension = Suspension()
    let begun = DispatchSemaphore(value: 0)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("begun", argumentCount: 0) { _ in
          begun.signal()
          return 1
        })
    }
    let queue = try DatabaseQueue(configuration: configuration)
    let suspended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      begun.wait()
      try? suspension.begin()
      suspended.signal()
    }
    let error = #expect(throws: (any Error).self) {
      try queue.inDatabase { db in
        let handle = try #require(db.sqliteConnection)
        try suspension.using(handle) {
          // So many steps that it is interrupted long before its end.
          try db.execute(
            sql: """
              WITH RECURSIVE number (n) AS (SELECT begun() UNION ALL SELECT n + 1 FROM number WHERE n < 100000000) SELECT sum(n) FROM number
              """)
        }
      }
    }
    suspended.wait()
    #expect((error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT)
    #expect(suspension.isSuspended)
  }
}
