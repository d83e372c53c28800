/// The effect of an import on the rows of one entity. A row that several records are of counts for each.
public struct ImportCounts: Sendable, Hashable {
  /// New rows.
  public var inserted = 0
  /// Rows that got other values.
  public var updated = 0
  /// Rows that had the values already.
  public var unchanged = 0
  /// Records that a hook skipped.
  public var skipped = 0
  /// Records that a hook stored.
  public var handled = 0
  /// Rows and pairs that were deleted, since the feed, or a list in it, does not have them.
  public var deleted = 0
  /// Links that are left out: a record names a related row, and none with its identity came by the end of the feed. In an
  /// import of a Core Data store: references and pairs that are left out, since a hook left out the row, or it is not there.
  public var unlinked = 0
  /// Records of the feed that were refused.
  public var failed = 0

  /// No rows.
  public init() {}

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    for count in Self.all { sum[keyPath: count.path] += right[keyPath: count.path] }
    return sum
  }

  private static var all: [(path: WritableKeyPath<Self, Int>, name: String)] {
    [
      (\.inserted, "inserted"), (\.updated, "updated"), (\.unchanged, "unchanged"), (\.skipped, "skipped"), (\.handled, "handled"),
      (\.deleted, "deleted"), (\.unlinked, "unlinked"), (\.failed, "failed"),
    ]
  }
}

extension ImportCounts: CustomStringConvertible {
  /// The counts that are not 0: `3 inserted, 1 updated`.
  public var description: String {
    let counts = Self.all.filter { self[keyPath: $0.path] != 0 }.map { "\(self[keyPath: $0.path]) \($0.name)" }
    return counts.isEmpty ? "nothing" : counts.joined(separator: ", ")
  }
}
