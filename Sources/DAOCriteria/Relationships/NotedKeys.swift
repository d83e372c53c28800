/// The keys by which rows belong to those of a relationship, noted while the rows are read: to write them anew from the entities takes
/// longer than to read the rows.
package final class NotedKeys {
  private let positions: [Int]
  private let types: [AttributeType]
  private let firstPosition: Int32
  // Whether each is an integer in a column of integers: no other key is as frequent, nor as quick.
  private var isPlain: Bool
  private var plain: [Int64] = []
  private var others: [MatchKey?] = []

  /// Notes values at some positions of rows, as attributes of these types hold them.
  init(at positions: [Int], as types: [AttributeType]) {
    self.positions = positions
    self.types = types
    firstPosition = Int32(positions.first ?? 0)
    isPlain = types == [.integer] && positions.count == 1
  }

  /// The keys, where each is an integer.
  var integers: [Int64]? { isPlain ? plain : nil }

  /// How many rows there were.
  var count: Int { isPlain ? plain.count : others.count }

  /// The key of each row; nil where it leads to no row.
  var keys: [MatchKey?] { isPlain ? plain.map { MatchKey($0) } : others }

  /// The keys that there are, each once, in their order.
  var distinct: [MatchKey] {
    guard let integers else { return others.distinct }
    var seen: Set<Int64> = []
    var last: Int64?
    return integers.compactMap { key in
      // Those of one row mostly come one after the other.
      if key == last { return nil }
      last = key
      return seen.insert(key).inserted ? MatchKey(key) : nil
    }
  }

  /// Notes a row's key.
  func note(_ row: inout RowReader) throws {
    if isPlain, let value = row.integer(at: firstPosition) { return plain.append(value) }
    append(try positions.map { try row.stored(at: $0) })
  }

  /// Notes the key of a row with all its values.
  fileprivate func note(_ row: [StoredValue]) {
    if isPlain, case .integer(let value) = row[positions[0]] { return plain.append(value) }
    append(positions.map { row[$0] })
  }

  /// Forgets what was noted.
  fileprivate func forget() { (plain, others) = ([], []) }

  private func append(_ values: [StoredValue]) {
    if isPlain {
      others = keys
      isPlain = false
    }
    others.append(MatchKey(values, at: values.indices, as: types))
  }
}

/// The keys that are noted of the rows of one statement, by the relationships for which they are.
@usableFromInline package final class RowNotes {
  private(set) var byRelationship: [String: NotedKeys] = [:]
  // Those of the relationship that led to the rows.
  let own: NotedKeys?
  private let all: [NotedKeys]
  // The first of them where there is no other, held by `all`.
  private let only: Unmanaged<NotedKeys>?

  /// Notes the keys that lead to what is fetched of an entity's rows, and their own.
  init(_ entity: EntityDescription, _ tree: PrefetchTree, own: NotedKeys? = nil) {
    for name in tree.branches.keys {
      guard let relationship = entity.relationship(name), let first = try? entity.steps(of: relationship).first else { continue }
      byRelationship[name] = NotedKeys(at: first.pairs.compactMap { entity.position(of: $0.here.name) }, as: first.types)
    }
    self.own = own
    all = byRelationship.values + [own].compactMap { $0 }
    only = all.count == 1 ? .passUnretained(all[0]) : nil
  }

  /// Notes the keys of a row.
  @usableFromInline package func note(_ row: inout RowReader) throws {
    if let only { return try only._withUnsafeGuaranteedRef { try $0.note(&row) } }
    for keys in all { try keys.note(&row) }
  }

  /// Notes the keys of rows that have been read, unless they were noted then.
  /// - Throws: ``DAOError/invalidValue(entity:attribute:problem:)``.
  func note<E: Entity>(_ entities: [E], of entity: EntityDescription) throws {
    if all.allSatisfy({ $0.count == entities.count }) { return }
    // An entity that reads in a way of its own may have passed over rows.
    for keys in all { keys.forget() }
    var writer = ColumnWriter(collecting: entity.types)
    for row in entities {
      defer { writer.values.removeAll(keepingCapacity: true) }
      do {
        try row.write(to: &writer)
        try writer.endRow()
      } catch let problem as ColumnProblem { throw entity.invalidValue(problem) }
      for keys in all { keys.note(writer.values) }
    }
  }
}

/// A store that can note keys while it reads rows.
package protocol NotingStore: EntityStore {
  /// As ``EntityStore/find(_:in:_:)``, of criteria that prefetch nothing.
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, noting notes: RowNotes) throws -> [E]
}
