/// A value that a search provides for a row, with the search.
package struct CheckedSearchResult: Sendable {
  /// Which result.
  package let result: Criteria.SearchResult
  /// The values in it.
  package let values: [CheckedValue]
  /// The search.
  package let search: CheckedSearch
  /// The attribute that is shown and its number among those that are searched; nil for the relevance.
  package let shown: (attribute: Attribute, number: Int)?
}
