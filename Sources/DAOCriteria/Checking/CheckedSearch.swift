/// A search for words.
package struct CheckedSearch: Sendable {
  /// The words.
  package let words: CheckedValue
  /// The attribute that is searched; nil for all that are searchable.
  package let attribute: Attribute?
  /// The key of the rows that are searched.
  package let key: Attribute
}
