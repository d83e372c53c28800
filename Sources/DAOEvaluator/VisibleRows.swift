import DAOCriteria

/// The rows visible in a target's scope, by their keys.
struct VisibleRows {
  private let table: EvaluatorTable
  private let entity: EntityDescription
  private let key: [Int]
  // Nil where all rows are visible.
  private let isSeen: Evaluator.Test?

  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` for a scope that does not fit the entity.
  init(_ target: EntityTarget, of data: EvaluatorData) throws {
    entity = target.entity
    table = try data.table(of: entity)
    key = entity.key.attributes.compactMap { [entity] in entity.position(of: $0) }
    if target.scope.isAlwaysTrue {
      isSeen = nil
    } else {
      _ = try target.checked(within: .sqlite)
      // Rows change between the calls.
      let statement = EvaluatedStatement(of: entity, isSnapshot: false) { try data.table(of: $0).rows }
      isSeen = try Evaluator(entity, in: statement).test(target.scope)
    }
  }

  /// Whether the row in a place is visible.
  func contains(_ place: Int) throws -> Bool {
    guard table.rows.places[place] != nil else { return false }
    return try isSeen?(.row(place)) ?? true
  }

  /// Returns the index of the visible row with a key.
  func place(of key: StoredRow) throws -> Int? {
    guard let place = table.places(where: self.key, are: key).first, try contains(place) else { return nil }
    return place
  }

  /// The visible row with a key.
  func row(_ key: some EntityKey) throws -> StoredRow? { try place(of: entity.stored(key)).flatMap { table.rows.places[$0] } }
}
