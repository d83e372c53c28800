/// A value of a query, apart from the position where it stands.
package enum CriteriaValue: Sendable, Hashable {
  /// One value.
  case scalar(Scalar)
  /// The values of an `in`, without null.
  case list([Scalar])
  /// The words of a search.
  case words(FullTextQuery)
  /// A value of a position in the order, as a store keeps it.
  case stored(StoredValue)
}
