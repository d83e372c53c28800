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

  /// Whether entities write the same values, in the same order. One that can't be written is like no other.
  package func areSame<E: Entity>(_ a: [E], _ b: [E]) -> Bool {
    guard a.count == b.count else { return false }
    return zip(a, b).allSatisfy { one, other in
      guard let values = try? storedValues(of: one) else { return false }
      return values == (try? storedValues(of: other))
    }
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

extension EntityDescription {
  /// A key in stored form.
  package func stored(_ key: some EntityKey) throws -> StoredRow {
    var writer = ColumnWriter(collecting: keyTypes)
    do {
      try key.write(to: &writer)
      try writer.endRow()
    } catch let problem as ColumnProblem { throw invalidKey(problem) }
    return writer.values
  }
}
