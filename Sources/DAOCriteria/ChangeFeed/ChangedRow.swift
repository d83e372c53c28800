/// A row before and after a change, in the order of its entity's attributes. A value that is not known is nil: one that SQLite computes,
/// one that may be a default, and one that is long.
package struct ChangedRow: Sendable {
  /// The row before; nil for a new one.
  package let before: [StoredValue?]?
  /// The row after; nil for one that was deleted.
  package let after: [StoredValue?]?

  package init(before: [StoredValue?]?, after: [StoredValue?]?) {
    self.before = before
    self.after = after
  }
}
