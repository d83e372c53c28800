/// A row to put, and a row of the store's with unique values of it.
struct UniquePair: Hashable {
  let change: MergeChange
  let other: MergeRowIdentity
}
