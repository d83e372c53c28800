extension DAOError {
  /// The error of a row that points to a row which is not there.
  /// - Parameters:
  ///   - attributes: those that point there.
  ///   - table: where they point to.
  package static func pointsNowhere(entity: String, attributes: [String], table: String) -> DAOError {
    .constraint(
      .foreignKey, entity: entity, attributes: attributes,
      message: "no row of the table \"\(table)\" has \(attributes.count == 1 ? "this value" : "these values")")
  }

  /// The error of rows that were to point to their default, where no row has that.
  /// - Parameters:
  ///   - attributes: those that point there.
  ///   - table: where they point to.
  package static func defaultPointsNowhere(entity: String, attributes: [String], table: String) -> DAOError {
    .constraint(
      .foreignKey, entity: entity, attributes: attributes,
      message: "no row of the table \"\(table)\" has \(attributes.count == 1 ? "the default" : "the defaults")")
  }

  /// The error of a row that others still point to.
  /// - Parameters:
  ///   - attributes: those that they point to.
  ///   - table: the others' table, which points here by `columns`.
  package static func isPointedTo(entity: String, attributes: [String], table: String, columns: [String]) -> DAOError {
    let columns = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return .constraint(
      .foreignKey, entity: entity, attributes: attributes, message: "rows of the table \"\(table)\" still point to it by \(columns)")
  }
}
