import DAOCriteria

extension EvaluatorStore {
  /// Sets an attribute's stored value in the row with a key, as another program may have written it: none of the store's rules is checked,
  /// and the value need not be one that the attribute can be read from. Tests use it to compare rows with SQLite's.
  package func setStored(_ value: StoredValue, of attribute: String, key: [Scalar], in entity: EntityDescription) throws {
    try writing { data in
      let table = try data.table(of: entity)
      let columns = entity.key.attributes.compactMap { entity.position(of: $0) }
      let stored = try zip(entity.keyTypes, key).map { try $0.stored($1) }
      guard let column = entity.position(of: attribute), let place = table.places(where: columns, are: stored).first,
        var row = table.rows.places[place]
      else { return }
      row[column] = value
      data.put(row, at: place, of: table)
    }
  }
}
