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
}
