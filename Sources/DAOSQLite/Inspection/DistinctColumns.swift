import DAOCriteria
import DAOSchema

/// The columns of a view whose values differ in all rows. Long values are kept in memory for nobody, and taken for no key.
struct DistinctColumns {
  private let names: [String]
  private var seen: [Int: Set<StoredValue>]

  /// - Parameter table: of a table nothing is noted, since its key is declared or is the row id.
  init(of table: StoreSchema.Table) {
    names = table.readableColumns.map(\.name)
    seen = table.isView ? Dictionary(uniqueKeysWithValues: names.indices.map { ($0, []) }) : [:]
  }

  /// Those that are left.
  var columns: [String] { seen.filter { !$0.value.isEmpty }.keys.sorted().map { names[$0] } }

  mutating func note(_ row: [StoredValue]) {
    for place in Array(seen.keys)
    where row[place].isNull || row[place].size > 1_000 || seen[place]?.insert(row[place].wholeNumber).inserted == false {
      seen[place] = nil
    }
  }
}

extension StoredValue {
  /// The bytes of a text or blob.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .null, .integer, .real: 0
    }
  }
}
