/// One page of what a criteria finds.
///
/// ```swift
/// let page = try zones.page(.where(\.standardOffset > 0), number: 2, size: 20)
/// page.items      // up to 20
/// page.hasNext    // whether page 3 has any
/// ```
public struct Page<Item: Sendable>: Sendable {
  /// The page's items.
  public let items: [Item]
  /// Its number, from 1.
  public let number: Int
  /// How many items a full page has.
  public let size: Int
  /// Whether another page follows.
  public let hasNext: Bool
  /// How many items all pages have together, where that was asked for.
  public let total: Int?

  /// A page.
  public init(items: [Item], number: Int, size: Int, hasNext: Bool, total: Int? = nil) {
    self.items = items
    self.number = number
    self.size = size
    self.hasNext = hasNext
    self.total = total
  }
}

extension Page: Equatable where Item: Equatable {}
