/// Why a row is kept.
enum MergeReason: Int {
  case undecided = 0
  /// Another row references it.
  case referenced = 1
  /// It references a row that is not there.
  case heldBack = 2
  /// Another row has values of it that are unique.
  case blocked = 3
  /// Both sides changed it.
  case conflict = 4
  /// SQLite does not take it.
  case refused = 5
}
