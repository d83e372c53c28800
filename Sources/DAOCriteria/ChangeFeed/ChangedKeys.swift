/// The keys of changed rows, as a store holds them.
package enum ChangedKeys: Sendable {
  /// Integers, each a key.
  case integers([Int64])
  /// Values, as many for a key as the entity has key attributes.
  case stored([[StoredValue]])

  package var count: Int {
    switch self {
    case .integers(let keys): keys.count
    case .stored(let keys): keys.count
    }
  }

  /// The keys as a type of key; nil where one can't be read as it.
  func read<Key: EntityKey>(as type: Key.Type, of entity: EntityDescription) -> [Key]? {
    // The usual types of keys as they are. Where Int has 32 bits (watchOS), some may not fit it.
    if case .integers(let keys) = self {
      if Key.self == Int64.self { return keys as? [Key] }
      if Key.self == Int.self, Int.bitWidth == Int64.bitWidth { return keys.map { Int($0) } as? [Key] }
    }
    let columns = RowColumns(entity.keyTypes, of: entity)
    func read(_ values: [StoredValue]) throws -> Key {
      var row = RowReader(values, columns: columns)
      return try Key(row: &row)
    }
    return switch self {
    case .integers(let keys): try? keys.map { try read([.integer($0)]) }
    case .stored(let keys): try? keys.map(read)
    }
  }
}
