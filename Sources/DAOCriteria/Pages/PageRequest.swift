/// The page of a query that is requested.
public struct PageRequest: Sendable, Hashable {
  /// The position of the page.
  public enum Position: Sendable, Hashable {
    /// The rows after a position, or the first.
    case after(PageToken?)
    /// The rows before a position, or the last.
    case before(PageToken?)
    /// The page of this number, from 1, which passes over all rows before it.
    case number(Int)
  }

  /// The position of the page.
  public let position: Position
  /// How many items a full page has.
  public let size: Int
  /// The information to give about the rows beyond the page.
  public let total: PageRequest.Total

  /// A page of a size at a position; the first, where none is given.
  public init(_ position: Position = .after(nil), size: Int, total: PageRequest.Total = .hasNext) {
    self.position = position
    self.size = size
    self.total = total
  }

  /// Whether the rows are read from the page's end to its start.
  package var isBackward: Bool { if case .before = position { true } else { false } }

  /// How many rows come before the page, where that is known.
  package var offset: Int? {
    switch position {
    case .after(nil), .before(nil): 0
    case .after, .before: nil
    case .number(let number): (number - 1) * size
    }
  }
}

extension Criteria {
  /// Requests a page's rows instead: the nearest first where the page is before a cursor, and one extra row unless nothing about the rows
  /// beyond is requested.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` for a size or number below 1, or a query that has a page already;
  ///   ``DAOError/pageToken(_:)`` for a token of another query.
  package mutating func turn(to request: PageRequest, in target: EntityTarget) throws {
    var problems: [DAOError.CriteriaProblem] = []
    let places = places
    func report(_ message: String, at part: CriteriaPlaces.Part? = nil) {
      problems.append(DAOError.CriteriaProblem(path: part.flatMap { places?[$0] } ?? "", message: message))
    }
    let size = request.size
    var offset = 0
    if case .number(let number) = request.position {
      let (rows, overflow) = max(number, 1).advanced(by: -1).multipliedReportingOverflow(by: max(size, 1))
      if number < 1 { report("the page's number is \(number); pages count from 1") }
      if overflow { report("page \(number) of size \(size) is beyond any row") }
      offset = rows
    }
    if size < 1 || size == .max { report("the page's size is \(size)") }
    if case .atMost(let most) = request.total, most < 0 { report("a total is counted up to \(most)") }
    if limit != nil || self.offset != nil || after != nil {
      report("the criteria have a limit, an offset or a place, which are the page's here", at: limit != nil ? .limit : .offset)
    }
    var orderCount: Int { orders.count + keyOrders(in: target.entity).count }
    if orders.count + target.entity.keyTypes.count > Self.maximumPageOrders, orderCount > Self.maximumPageOrders {
      report("a page has at most \(Self.maximumPageOrders) orders, not \(orderCount)", at: .orders)
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: target.entity.name, problems: problems) }

    switch request.position {
    case .after(let token): after = try token?.place(in: self, of: target, orders: orderCount)
    case .before(let token):
      after = try token?.place(in: self, of: target, orders: orderCount)
      orders = totalOrders(in: target.entity).map(\.reversed)
    case .number: self.offset = offset == 0 ? nil : offset
    }
    // Where keys may repeat, the row beyond is always read: it may have the cursor of the last one.
    limit = request.total == .omitted && !target.entity.mayRepeatKeys ? size : size + 1
  }

  /// A cursor takes up to two parts of a statement for each; SQLite takes 500 parts (sqlite.org/limits.html, number 6).
  private static let maximumPageOrders = 100

  /// The orders, ended by the attributes of the key that are not among them, so that no two rows of a table are equal in all.
  ///
  /// The key goes the way of the first order: an index over the orders, which SQLite ends in the row id, then serves when read backward
  /// too.
  package func totalOrders(in entity: EntityDescription) -> [Criteria.Ordering] { orders + keyOrders(in: entity) }

  /// The attributes of the key that are not ordered by: without them a page could repeat or lose rows.
  package func keyOrders(in entity: EntityDescription) -> [Criteria.Ordering] {
    let keys = orders.first?.direction == .descending ? entity.keyOrders.descending : entity.keyOrders.ascending
    return orders.contains { order in keys.contains { $0.term == order.term } }
      ? keys.filter { key in !orders.contains { $0.term == key.term } } : keys
  }
}

extension Criteria.Ordering {
  /// The order from the other end.
  package var reversed: Criteria.Ordering {
    Criteria.Ordering(term, direction == .ascending ? .descending : .ascending, nulls: nulls == .first ? .last : .first)
  }
}
