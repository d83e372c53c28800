import DAOCriteria

/// A row of the store.
struct MergeRowIdentity: Hashable {
  let table: Int
  let values: [StoredValue]
}
