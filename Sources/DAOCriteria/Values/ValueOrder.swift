/// The order of stored values, where it is not that of their storage classes.
package enum ValueOrder: Sendable {
  /// Texts as the decimal numbers that they spell.
  case decimal
  /// Texts as the instants that they say, with `Z` or an offset.
  case instant
}
