/// A row of the temporary table of a table's changes.
struct MergeChange: Hashable {
  let table: Int
  let rowID: Int64
}
