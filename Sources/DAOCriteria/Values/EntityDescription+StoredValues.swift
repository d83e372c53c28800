extension EntityDescription {
  /// The values that an entity writes, as they are stored.
  /// - Throws: ``DAOError/invalidValue(entity:attribute:problem:)``.
  package func storedValues(of entity: some Entity) throws -> [StoredValue] {
    var writer = ColumnWriter(collecting: types)
    do {
      try entity.write(to: &writer)
      try writer.endRow()
    } catch let problem as ColumnProblem { throw invalidValue(problem) }
    return writer.values
  }

  /// The values of the key among those of a row.
  package func key(of values: [StoredValue]) -> [StoredValue] { key.attributes.compactMap { position(of: $0).map { values[$0] } } }

  /// The values of a row by the names of the attributes; one that its attribute can't read as it is stored.
  package func scalars(of values: [StoredValue]) -> [String: Scalar] {
    Dictionary(
      zip(attributes, values).map { attribute, value in
        (attribute.name, (try? attribute.type.scalar(value)) ?? (try? AttributeType.any.scalar(value)) ?? .null)
      },
      uniquingKeysWith: { first, _ in first })
  }
}
