extension DAOError {
  /// The error of an upsert on attributes by which no row can be told from the others.
  package static func noUniqueIndex(of entity: EntityDescription, over attributes: [String]) -> DAOError {
    let names = attributes.joined(separator: ", ")
    let list = attributes.map { "\"\($0)\"" }.joined(separator: ", ")
    return .misuse(
      "an upsert of \(entity.name) on \(names), over which the store has no unique index",
      use: "Index(on: \(list), unique: true) in the entity, or an upsert on the primary key")
  }
}
