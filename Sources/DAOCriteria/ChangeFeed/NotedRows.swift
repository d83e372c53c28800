/// The changed rows of one entity in the order of their changes, as a transaction notes them.
package struct NotedRows {
  package enum Kind: UInt8 { case insert, update, delete }

  /// More changes of one entity in one transaction than these are not noted one by one.
  static let mostChanges = 1_000_000

  /// Of more changes of one entity in one transaction the rows are not noted.
  static let mostRows = 1000

  private var kinds: [Kind] = []
  // One of the two has the keys: the first where each is one integer.
  private var integers: [Int64] = []
  private var stored: [[StoredValue]] = []
  // Those that changed, for each change, where they are wanted.
  private var attributes: [AttributeSet] = []
  // Each change with its row, where that is wanted; fewer than changes where they are too many.
  private var changes: [ChangedRow] = []
  /// Whether rows changed that were not noted.
  private(set) var isUnknown = false

  package init() {}

  /// How much was noted at one time.
  package struct Mark {
    fileprivate let count: Int
    fileprivate let isUnknown: Bool
  }

  package var mark: Mark { Mark(count: kinds.count, isUnknown: isUnknown) }

  package func hasNoted(since mark: Mark) -> Bool { kinds.count > mark.count || isUnknown && !mark.isUnknown }

  package var isEmpty: Bool { kinds.isEmpty && !isUnknown }

  /// Notes a row whose key is one integer.
  @inline(__always)
  package mutating func append(_ kind: Kind, key: Int64) {
    // A table that was made again may have keys of another form.
    guard kinds.count < Self.mostChanges, stored.isEmpty else { return noteUnknown() }
    kinds.append(kind)
    integers.append(key)
  }

  /// Notes rows whose keys are one integer each.
  package mutating func append(_ more: UnsafeBufferPointer<Kind>, keys: UnsafeBufferPointer<Int64>) {
    guard kinds.count + more.count <= Self.mostChanges, stored.isEmpty else { return noteUnknown() }
    kinds.append(contentsOf: more)
    integers.append(contentsOf: keys)
  }

  /// Notes a row with a key of another form.
  package mutating func append(_ kind: Kind, key: [StoredValue]) {
    guard kinds.count < Self.mostChanges, integers.isEmpty else { return noteUnknown() }
    kinds.append(kind)
    stored.append(key)
  }

  /// Notes which attributes the last change changed.
  package mutating func append(changed: AttributeSet) { if attributes.count < kinds.count { attributes.append(changed) } }

  /// Whether the next change is to be noted with its row: all before it were.
  package var takesRow: Bool { changes.count == kinds.count && changes.count < Self.mostRows }

  /// Notes the row of the last change.
  package mutating func append(_ change: ChangedRow) { changes.append(change) }

  /// Each change with its row; nil where some were noted without.
  var rowChanges: [ChangedRow]? { changes.count == kinds.count && !isUnknown ? changes : nil }

  /// Notes that unknown rows changed.
  package mutating func noteUnknown() { isUnknown = true }

  /// Forgets what was noted since a mark.
  package mutating func forget(since mark: Mark) {
    isUnknown = mark.isUnknown
    let count = mark.count
    guard kinds.count > count else { return }
    kinds.removeLast(kinds.count - count)
    if integers.count > count { integers.removeLast(integers.count - count) }
    if stored.count > count { stored.removeLast(stored.count - count) }
    if attributes.count > count { attributes.removeLast(attributes.count - count) }
    if changes.count > count { changes.removeLast(changes.count - count) }
  }

  /// How many changes were noted one by one.
  var count: Int { kinds.count }

  /// Whether rows may have come and gone.
  var mayCancelOut: Bool { kinds.contains(.insert) && kinds.contains(.delete) }

  /// The net effect of the changes.
  /// - Parameter attributeCount: how many attributes the entity has, where the changed ones were noted.
  func net(attributeCount: Int?) -> NetChanges.Rows {
    let all = attributeCount.map { AttributeSet(first: $0) }
    return stored.isEmpty ? net(integers, all) { .integers($0) } : net(stored, all) { .stored($0) }
  }

  private func net<Key: Hashable>(_ keys: [Key], _ all: AttributeSet?, _ form: ([Key]) -> ChangedKeys) -> NetChanges.Rows {
    var (inserted, updated, deleted): ([Key], [Key], [Key]) = ([], [], [])
    var changed: [AttributeSet] = []
    for row in rows(keys, all) {
      switch (row.wasThere, row.isThere) {
      case (false, true): inserted.append(row.key)
      case (true, false): deleted.append(row.key)
      case (true, true):
        updated.append(row.key)
        if let attributes = row.attributes { changed.append(attributes) }
      case (false, false): break
      }
    }
    return NetChanges.Rows(
      inserted: form(inserted), updated: form(updated), deleted: form(deleted), attributes: all == nil ? nil : changed)
  }

  /// One row before and after the transaction.
  private struct Row<Key> {
    let key: Key
    let wasThere: Bool
    var isThere: Bool
    var attributes: AttributeSet?
  }

  private func rows<Key: Hashable>(_ keys: [Key], _ all: AttributeSet?) -> [Row<Key>] {
    var rows: [Row<Key>] = []
    rows.reserveCapacity(keys.count)
    var positions: [Key: Int] = [:]
    // Keys that come in their order are all different, so none is looked up.
    let areOrdered = (keys as? [Int64]).map { zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } } ?? false
    if !areOrdered { positions.reserveCapacity(keys.count) }
    for index in keys.indices {
      let kind = kinds[index]
      // A row that comes again under the key of a deleted one has other values, as far as is known.
      let changed = all == nil || kind != .update ? all : attributes[index]
      if !areOrdered, let position = positions[keys[index]] {
        rows[position].isThere = kind != .delete
        if let changed { rows[position].attributes?.formUnion(changed) }
      } else {
        if !areOrdered { positions[keys[index]] = rows.count }
        rows.append(Row(key: keys[index], wasThere: kind != .insert, isThere: kind != .delete, attributes: changed))
      }
    }
    return rows
  }
}
