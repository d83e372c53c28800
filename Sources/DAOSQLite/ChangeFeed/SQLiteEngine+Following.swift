import DAOCriteria
import DAOWaiting

extension SQLiteEngine {
  /// Begins to look for commits of other processes with the feed's first consumer, and ends with its last.
  func followChanged() { lookForOthers(isFirst: true) }

  /// Goes on after the store was closed, suspended or reset. Others may have written it meanwhile, so followers reload.
  func followAgain() {
    defer { feed.liveQueries.markAll() }
    // A connection that is new to the file reports that by itself.
    if case .readWrite = mode { lookForOthers(isFirst: false) } else { feed.publishReload() }
  }

  private func lookForOthers(isFirst: Bool) {
    // Nobody else writes a store in memory, or one that is read where it lies.
    guard case .readWrite(let writer, _) = mode else { return }
    // What others commit from here on is noticed.
    if feed.isFollowed { writer.reportOthersIfFree(for: self, isFirst: isFirst) }
    watch.update(path: name + "-wal", isFollowed: { [feed] in feed.isFollowed }) { [weak self] in
      guard let self, !suspension.isSuspended else { return }
      // A call that has the slot reports them itself.
      writer.reportOthersIfFree(for: self)
    }
  }
}
