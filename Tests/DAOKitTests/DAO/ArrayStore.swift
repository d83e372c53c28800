import DAOKit
import Foundation

/// Entities in arrays: another store than SQL, just able enough to run a custom DAO.
final class ArrayStore: EntityStore, @unchecked Sendable {
  // Guards `tables`.
  private let lock = NSRecursiveLock()
  private var tables: [String: [[StoredValue]]] = [:]

  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    try selected(target, criteria).map { try entity(type, $0, target) }
  }

  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E? {
    let stored = try values(of: key, target)
    return try selected(target, Criteria()).first { keyValues($0, target) == stored }.map { try entity(type, $0, target) }
  }

  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E] {
    try keys.compactMap { try find(type, in: target, key: $0) }
  }

  func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey] {
    try find(type, in: target, criteria).compactMap(\.primaryKey)
  }

  func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int { try selected(target, criteria).count }
  func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool { try count(in: target, criteria) > 0 }

  func report<Row>(in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Row) throws -> [Row] {
    throw DAOError.unsupported("arrays have no reports")
  }

  func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    try lock.withLock {
      try entities.map { entity in
        var entity = entity
        if target.entity.hasGeneratedKey, entity.primaryKey == nil {
          entity.setGeneratedKey(Int64(tables[target.entity.name, default: []].count + 1))
        }
        tables[target.entity.name, default: []].append(try row(entity, target))
        return entity
      }
    }
  }

  func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws {
    for entity in entities {
      let new = try row(entity, target)
      guard try change(target, where: { keyValues($0, target) == keyValues(new, target) }, to: { _ in new }) == 1 else {
        throw DAOError.notFound(entity: target.entity.name, key: "\(entity)")
      }
    }
  }

  func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    throw DAOError.unsupported("arrays have no upsert")
  }

  func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int {
    let gone = try keys.map { try values(of: $0, target) }
    return try change(target, where: { gone.contains(keyValues($0, target)) }, to: { _ in nil })
  }

  func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Change]) throws -> Int {
    throw DAOError.unsupported("arrays have no update by criteria")
  }

  func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try change(target, where: { try matches(criteria.filter, $0, target) }, to: { _ in nil })
  }

  func entities() throws -> [EntityDescription] { [] }
  func read<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result { try lock.withLock { try body(self) } }

  func write<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result {
    try lock.withLock {
      let before = tables
      do { return try body(self) } catch {
        tables = before
        throw error
      }
    }
  }

  func perform<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result { try body() }

  // MARK: Rows

  private func selected(_ target: EntityTarget, _ criteria: Criteria) throws -> [[StoredValue]] {
    let rows = lock.withLock { tables[target.entity.name, default: []] }
    let found = try rows.filter { try matches(target.scope, $0, target) && matches(criteria.filter, $0, target) }
    let sorted = try found.sorted { left, right in
      for order in criteria.orders {
        let (a, b) = (try value(order.term, left, target), try value(order.term, right, target))
        if a != b { return less(a, b) == (order.direction == .ascending) }
      }
      return false
    }
    return Array(sorted.dropFirst(criteria.offset ?? 0).prefix(criteria.limit ?? .max))
  }

  private func change(
    _ target: EntityTarget, where isMeant: ([StoredValue]) throws -> Bool, to change: ([StoredValue]) -> [StoredValue]?
  ) throws -> Int {
    try lock.withLock {
      var count = 0
      tables[target.entity.name] = try tables[target.entity.name, default: []].compactMap { row in
        guard try matches(target.scope, row, target), try isMeant(row) else { return row }
        count += 1
        return change(row)
      }
      return count
    }
  }

  private func entity<E: Entity>(_ type: E.Type, _ row: [StoredValue], _ target: EntityTarget) throws -> E {
    var reader = RowReader(row, types: target.entity.attributes.map(\.type), entity: target.entity)
    return try E(row: &reader)
  }

  private func row<E: Entity>(_ entity: E, _ target: EntityTarget) throws -> [StoredValue] {
    var writer = ColumnWriter(collecting: target.entity.attributes.map(\.type))
    try entity.write(to: &writer)
    return writer.values
  }

  private func values(of key: some EntityKey, _ target: EntityTarget) throws -> [StoredValue] {
    var writer = ColumnWriter(collecting: target.entity.keyAttributes.map(\.type))
    try key.write(to: &writer)
    return writer.values
  }

  private func keyValues(_ row: [StoredValue], _ target: EntityTarget) -> [StoredValue] {
    target.entity.key.attributes.compactMap { target.entity.position(of: $0).map { row[$0] } }
  }

  // MARK: Conditions

  private func matches(_ condition: Condition, _ row: [StoredValue], _ target: EntityTarget) throws -> Bool {
    switch condition.node {
    case .constant(let value): return value
    case .all(let parts): return try parts.allSatisfy { try matches($0, row, target) }
    case .any(let parts): return try parts.contains { try matches($0, row, target) }
    case .not(let inner): return try !matches(inner, row, target)
    case .isNull(let term): return try value(term, row, target).isNull
    case .compare(let left, let comparison, let right):
      let (a, b) = (try value(left, row, target), try value(right, row, target))
      switch comparison {
      case .equal: return a == b
      case .notEqual: return a != b
      default:
        if a.isNull || b.isNull { return false }
        switch comparison {
        case .less: return less(a, b)
        case .lessOrEqual: return !less(b, a)
        case .greater: return less(b, a)
        default: return !less(a, b)
        }
      }
    default: throw DAOError.unsupported("arrays don't know \(condition.node)")
    }
  }

  private func value(_ term: Term, _ row: [StoredValue], _ target: EntityTarget) throws -> StoredValue {
    switch term {
    case .field(let path):
      guard let position = target.entity.position(of: path.description) else {
        throw DAOError.invalidCriteria(
          entity: target.entity.name, problems: [CriteriaProblem(unknownAttribute: path.description, of: target.entity)])
      }
      return row[position]
    case .value(let scalar): return try AttributeType.any.stored(scalar)
    default: throw DAOError.unsupported("arrays don't know \(term)")
    }
  }

  private func less(_ left: StoredValue, _ right: StoredValue) -> Bool {
    switch (left, right) {
    case (.null, _): !right.isNull
    case (.integer(let a), .integer(let b)): a < b
    case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: false
    }
  }
}
