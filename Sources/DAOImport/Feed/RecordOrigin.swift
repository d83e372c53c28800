import DAORecords

/// The record of a feed that a problem is of.
struct RecordOrigin: Sendable {
  /// The number of the record in the feed, from 0.
  let number: Int
  /// The position of its first character.
  let position: TextPosition
  /// The names that lead to it in the text.
  let path: [String]
}
