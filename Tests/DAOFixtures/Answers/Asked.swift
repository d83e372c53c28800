import DAOKit

extension Answer {
  /// What a DAO answers, each row's values in stored form.
  package func asked<E: Entity>(of dao: RuntimeDAO<E>, _ criteria: SearchCriteria<E>) throws -> [[StoredValue]] {
    switch call {
    case .count: return [[.integer(Int64(try dao.count(criteria)))]]
    case .exists: return [[.integer(try dao.exists(criteria) ? 1 : 0)]]
    case .pages(let size):
      var page = try dao.page(criteria, size: size)
      var rows = page.items
      while let next = page.next {
        page = try dao.page(criteria, size: size, after: next)
        rows += page.items
      }
      return try rows.map(Self.stored)
    case .rows:
      let columns = criteria.criteria.columns.count
      if columns == 0 { return try dao.findAll(criteria).map(Self.stored) }
      return try dao.project(criteria) { row in try (0..<columns).map { _ in try Self.stored(row.takeScalar()) } }
    }
  }

  /// Asks a DAO, and leaves what it answers as it is: for measuring.
  /// - Returns: how many rows there are.
  package func ask<E: Entity>(_ dao: RuntimeDAO<E>, _ criteria: SearchCriteria<E>) throws -> Int {
    switch call {
    case .count: return try dao.count(criteria)
    case .exists: return try dao.exists(criteria) ? 1 : 0
    case .pages(let size):
      var page = try dao.page(criteria, size: size)
      var count = page.items.count
      while let next = page.next {
        page = try dao.page(criteria, size: size, after: next)
        count += page.items.count
      }
      return count
    case .rows:
      let columns = criteria.criteria.columns.count
      if columns == 0 { return try dao.findAll(criteria).count }
      return try dao.project(criteria) { row in for _ in 0..<columns { _ = try row.takeScalar() } }.count
    }
  }

  /// An entity's values in stored form, in the order of its attributes.
  package static func stored(_ entity: some Entity) throws -> [StoredValue] {
    var writer = ColumnWriter(collecting: types(of: entity))
    try entity.write(to: &writer)
    try writer.endRow()
    return writer.values
  }

  private static func types<E: Entity>(of entity: E) -> [AttributeType] {
    ((entity as? DynamicEntity)?.entity ?? E.entityDescription).types
  }

  private static func stored(_ scalar: Scalar) throws -> StoredValue {
    switch scalar {
    case .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .data(let value): .blob(value)
    case .uuid, .date, .decimal: throw DAOError.unsupported("the fixtures have no such values")
    }
  }
}
