/// The order of stored values, where it is not that of their storage classes.
package enum ValueOrder: Sendable, Hashable {
  /// Texts as the decimal numbers that they spell.
  case decimal
  /// Texts as the instants that they say, with `Z` or an offset.
  case instant
  /// Texts without regard to the case of their ASCII letters, as SQLite's `NOCASE` compares them.
  case nocase
  /// Texts without regard to blanks at their ends, as SQLite's `RTRIM` compares them.
  case rtrim
  /// Numbers as the decimal numbers of so many digits after the point that they are read as.
  case rounded(Int)
}
