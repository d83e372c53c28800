/// The change that the seed made to a row.
enum MergeKind: Int {
  case added = 0
  case changed = 1
  case deleted = 2
  /// Nothing: it is a row of the user's that makes room for one of the seed's.
  case inTheWay = 3
}
