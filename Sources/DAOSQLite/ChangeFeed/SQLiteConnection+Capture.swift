import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import GRDBSQLite

extension SQLiteConnection {
  /// Runs a body as the connection that writes, and hands what it has committed to those who follow the store.
  func reporting<Result>(to feed: ChangeFeed, _ body: () throws -> Result) rethrows -> Result {
    let audience = feed.beginWriting()
    if audience.interest !== capture?.interest { captureChanges(for: audience.interest) }
    self.feed = audience.interest == nil ? nil : feed
    let rowCount = totalChangedRowCount
    reportedRowCount = rowCount
    hasChangedSchema = false
    defer {
      self.feed = nil
      capture?.isOfNewSchema = false
      // What was rolled back counts too: who reads meanwhile only reads once more.
      let hasWritten = totalChangedRowCount != rowCount || hasChangedSchema
      if audience.interest != nil || feed.isFollowed { report(to: feed, audience) }
      feed.endWriting(hasWritten: hasWritten)
    }
    return try body()
  }

  private func report(to feed: ChangeFeed, _ audience: ChangeFeed.Audience) {
    let isBlind = isOfFile && knownDataVersion == nil
    if isBlind { knownDataVersion = try? currentDataVersion() }
    // Who began to follow meanwhile may have read the store as it was before.
    let mayHaveMissed = isBlind || totalChangedRowCount != reportedRowCount || hasChangedSchema
    if totalChangedRowCount != reportedRowCount { capture?.noteUnseen() }
    // Before a first look at the file nobody knows what others have committed.
    feed.publish(capture?.take() ?? [], for: capture == nil || isBlind ? nil : audience, mayHaveMissed: mayHaveMissed)
  }

  /// Notes from now on what is wanted.
  private func captureChanges(for interest: ChangeInterest?) {
    // A `DELETE` without a filter that was compiled before empties the table at once, unseen.
    if capture == nil { statements.removeAll() }
    endCapture()
    guard let interest else { return }
    // Where the schema can't be read, each commit is one of unknown rows.
    let version = try? schemaMark().version
    capture = try? onQueue { try ChangeCapture(interest, preUpdate, of: handle, in: $0) }
    capture?.schemaVersion = version
  }

  /// Notes no more.
  func endCapture() {
    guard let capture else { return }
    try? onQueue { capture.end(in: $0) }
    self.capture = nil
  }

  /// Whether changed rows are noted.
  var capturesChanges: Bool { capture != nil }

  /// Lets the schema change.
  func schemaWillChange() throws { if let capture { try onQueue { capture.standAside(in: $0) } } }

  /// Notes changed rows by the schema as it is now.
  /// - Parameter isNew: whether the transaction has changed it. A table under a known name may have other rows then.
  func captureSchema(isNew: Bool) {
    hasChangedSchema = hasChangedSchema || isNew
    guard let capture else { return }
    do {
      // Whatever ends the call: the next one needs it.
      try limits.endless {
        // First, since another connection may change it before the next line.
        capture.schemaVersion = try schemaMark().version
        try onQueue { try capture.read($0, isNew: isInTransaction) }
      }
      if isNew { capture.markAllUnknown() }
    } catch { endCapture() }
  }

  /// Forgets what was noted and has been rolled back.
  func forgetCaptured(since mark: [NotedRows.Mark]?) {
    guard let capture else { return }
    if let mark { capture.forget(since: mark) } else { capture.forget() }
    // It is the one of before, or one that an earlier part of the transaction has made.
    if capture.isOfNewSchema { captureSchema(isNew: false) }
  }

  /// Reports a commit of another connection since that was asked last.
  /// - Parameter isFirst: whether nobody followed before, so that nothing was missed where it was never asked, but by a second follower.
  func reportOthers(to feed: ChangeFeed, isFirst: Bool = false) {
    guard isOfFile, let version = try? currentDataVersion(), version != knownDataVersion else { return }
    if knownDataVersion != nil || !isFirst || feed.hasSeveralFollowers { feed.publishReload() }
    knownDataVersion = version
    if let capture, (try? schemaMark().version) != capture.schemaVersion { captureSchema(isNew: false) }
  }

  /// Whether other connections may use its database too.
  private var isOfFile: Bool { sqlite3_db_filename(handle, "main").map { $0.pointee != 0 } ?? false }

  /// Runs a body that changes rows by one statement, which SQLite rolls back where it fails, unless its conflict clause is FAIL
  /// (sqlite.org/lang_conflict.html).
  func statement<Result>(_ body: () throws -> Result) throws -> Result {
    guard let capture else { return try body() }
    if !isInTransaction, let feed { reportOthers(to: feed) }
    let mark = capture.mark
    let isAlone = !isInTransaction
    defer {
      capture.mayReplace = false
      // Before the statement took the lock, another connection may have committed.
      if isAlone, let feed { reportOthers(to: feed) }
    }
    do { return try body() } catch {
      if capture.hasNoted(since: mark) {
        if mayKeepPartOfFailedStatement { capture.markUnknown(since: mark) } else { capture.forget(since: mark) }
      }
      throw error
    }
  }

  /// Whether a statement that has failed may have left rows changed.
  private var mayKeepPartOfFailedStatement: Bool {
    if changedRowCount > 0 || lastPrepared.range(of: "FAIL", options: .caseInsensitive) != nil { return true }
    let sql = """
      SELECT 1 FROM main.sqlite_schema WHERE sql LIKE '%FAIL%'
      UNION ALL SELECT 1 FROM temp.sqlite_schema WHERE sql LIKE '%FAIL%' LIMIT 1
      """
    guard let found = try? onQueue({ try $0.bareRows(sql) { $0.integer(0) } }) else { return true }
    return !found.isEmpty
  }
}
