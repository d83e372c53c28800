/// A row that a unit of work adds, changes or deletes.
public struct UnitChange: Sendable {
  /// What is done to the row.
  public enum Kind: String, Sendable, Hashable {
    /// The row is new.
    case insert
    /// The row has other values.
    case update
    /// The row goes.
    case delete
  }

  let described: EntityDescription
  // The rows as they are stored, in the order of the entity's attributes.
  let storedBefore: [StoredValue]?
  let storedAfter: [StoredValue]?

  /// The entity's name; the table's, where no DAO of the unit knows an entity of it.
  public var entity: String { described.name }

  /// The row's key: before the commit of a new row, possibly one of the unit's own, which is negative.
  public var key: [Scalar] {
    let row = after ?? before ?? [:]
    return described.key.attributes.map { row[$0] ?? .null }
  }

  /// The row before, by the names of the attributes; nil for a new one.
  public var before: [String: Scalar]? { storedBefore.map { described.scalars(of: $0) } }

  /// The row after; nil where it is deleted.
  public var after: [String: Scalar]? { storedAfter.map { described.scalars(of: $0) } }

  /// What is done to the row.
  public var kind: Kind { storedBefore == nil ? .insert : storedAfter == nil ? .delete : .update }

  /// The attributes with other values than before, in the order of their names.
  public var attributes: [String] {
    guard let before = storedBefore, let after = storedAfter else { return [] }
    return described.attributes.indices.filter { before[$0] != after[$0] }.map { described.attributes[$0].name }.sorted()
  }

  /// - Parameter places: the positions of the attributes among the columns of the table.
  package init(of entity: EntityDescription, at places: [Int?], before: [StoredValue]?, after: [StoredValue]?) {
    func ordered(_ row: [StoredValue]?) -> [StoredValue]? { row.map { row in places.map { $0.map { row[$0] } ?? .null } } }
    described = entity
    (storedBefore, storedAfter) = (ordered(before), ordered(after))
  }
}

extension UnitChange: CustomStringConvertible {
  /// The change in words, without values: `update zone 7: offset`.
  public var description: String {
    let row = "\(kind.rawValue) \(entity) \(key.map(\.description).joined(separator: ", "))"
    return attributes.isEmpty ? row : "\(row): \(attributes.joined(separator: ", "))"
  }
}
