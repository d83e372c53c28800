extension EntityDescription {
  /// Returns the description with other types of some attributes: for an entity that was read from a store's schema, where that does not
  /// say in which form its values are.
  ///
  /// ```swift
  /// let invoice = try factory.entity(named: "Invoice").withTypes(["InvoiceDate": .date(.text("YYYY-MM-DD HH:MM:SS"))])
  /// let invoices = factory.runtimeDAO(invoice)
  /// ```
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` with every name that is no attribute, and what else is wrong.
  public func withTypes(_ types: [String: AttributeType]) throws -> EntityDescription {
    let entity = EntityDescription(
      name, table: table, source: source, key: key,
      attributes: attributes.map { attribute in types[attribute.name].map { attribute.withType($0) } ?? attribute }, indexes: indexes,
      relationships: relationships, renamedFrom: renamedFrom, identity: identity, mayHaveNullKeys: mayHaveNullKeys)
    let unknown = types.keys.filter { self[$0] == nil }.sorted().map { "\(name) has no attribute '\($0)'" }
    let problems = unknown + entity.problems
    if !problems.isEmpty { throw DAOError.invalidDescription(entity: name, problems: problems) }
    return entity
  }
}

extension Attribute {
  /// The attribute with another type. A default that was read as the old one is left to the schema.
  fileprivate func withType(_ type: AttributeType) -> Attribute {
    Attribute(
      name, type, column: column, optional: isOptional, default: type == self.type ? defaultValue : nil, references: reference,
      searchable: isSearchable, version: isVersion, generated: isGenerated, renamedFrom: renamedFrom, mapping: mapping)
  }
}
