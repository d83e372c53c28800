extension DAOError {
  /// The rows of a relationship were not fetched; its place is that of ``RowReader/next(at:)``.
  /// - Parameter path: how the row was reached that has the relationship; nil for one that was asked for.
  static func notFetched(at place: StaticString, under path: FetchPath?) -> DAOError {
    let place = "\(place)"
    let dot = place.lastIndex(of: ".")
    let relationship = dot.map { String(place[place.index(after: $0)...]) } ?? place
    return .notFetched(
      entity: dot.map { String(place[..<$0]) } ?? "", relationship: relationship,
      use: "prefetch(\\.\(path?.path(to: relationship) ?? relationship)) on the criteria")
  }

  /// The row was not fetched that a value leads to which the program made.
  static func notFetched(_ target: String) -> DAOError {
    .notFetched(
      entity: target, relationship: nil, use: "find on a DAO of \(target), or a query that prefetches the relationship")
  }
}
