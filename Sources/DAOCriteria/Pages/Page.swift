/// One page of the rows of a query, and the cursors to continue from.
///
/// ```swift
/// let first = try zones.page(criteria, size: 20)
/// let second = try zones.page(criteria, size: 20, after: first.next)
/// let back = try zones.page(criteria, size: 20, before: second.previous)      // the first again
/// ```
public struct Page<Item: Sendable>: Sendable {
  /// The page's items, in the criteria's order in whichever direction the page was reached.
  public let items: [Item]
  /// The cursor of the last item, for the page after it; nil on the last page.
  ///
  /// One extra row is fetched to learn whether there is a next page. With ``PageRequest/Total/omitted`` no extra row is fetched: a full
  /// page then always has a next one, which may turn out empty. A page without items has neither this nor ``previous``.
  public let next: PageToken?
  /// The cursor of the first item, for the page before it; nil on the first page. A page that was reached from another by `after`, or by
  /// its number, always has one, even if the rows before it have been deleted since.
  public let previous: PageToken?
  /// The number of items of all pages together, as far as it was requested.
  public let total: Int?

  /// A page.
  public init(items: [Item], next: PageToken? = nil, previous: PageToken? = nil, total: Int? = nil) {
    self.items = items
    self.next = next
    self.previous = previous
    self.total = total
  }

  /// Whether another page follows.
  public var hasNext: Bool { next != nil }

  /// Whether a page precedes.
  public var hasPrevious: Bool { previous != nil }
}

extension Page: Equatable where Item: Equatable {}
