/// The action on a row.
enum MergeAct: Int {
  /// It stays as it is in the store, or out of it.
  case keep = 0
  /// The row is put, in place of the store's row where there is one.
  case put = 1
  case delete = 2
}
