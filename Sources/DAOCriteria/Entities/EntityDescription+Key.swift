extension EntityDescription {
  /// A condition that is true of the row with a key: `"id" = ?`.
  /// - Throws: ``DAOError/invalidValue(entity:attribute:problem:)`` where the key fits no row.
  public func condition(for key: some EntityKey) throws -> Criteria.Condition {
    var writer = ColumnWriter(collecting: keyTypes)
    do {
      try key.write(to: &writer)
      try writer.endRow()
      return .all(
        try zip(keyAttributes, writer.values).map { attribute, value in
          .compare(.field(.root.appending(attribute.name)), .equal, .value(try attribute.type.scalar(value)))
        })
    } catch let problem as ColumnProblem { throw invalidKey(problem) }
  }
}
