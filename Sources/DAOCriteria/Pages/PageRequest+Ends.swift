extension PageRequest {
  /// The ends of a page. A cursor is the values of the order's terms, those of the key included, in stored form.
  public struct Ends: Sendable, Hashable {
    /// How many rows the page has.
    public let count: Int
    /// The first row's cursor; nil where the page is the criteria's first, or empty.
    public let first: [StoredValue]?
    /// The last row's cursor; nil where the page is not full.
    public let last: [StoredValue]?
    /// Whether the criteria find a row after the page's.
    public let hasMore: Bool

    /// The ends of a page.
    public init(count: Int, first: [StoredValue]?, last: [StoredValue]?, hasMore: Bool) {
      self.count = count
      self.first = first
      self.last = last
      self.hasMore = hasMore
    }
  }
}
