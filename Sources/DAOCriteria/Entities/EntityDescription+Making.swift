extension EntityDescription {
  /// Checks that a new store can be made from entities of different tables.
  /// - Parameter asSQL: whether it is made by SQL, which needs the expressions of generated columns.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` for a description with problems, a view without a definition, a generated
  ///   attribute, the name of another entity's search table, and a name or default with a NUL in it, where SQL text would end.
  package static func checkMaking(of entities: [EntityDescription], asSQL: Bool = true) throws {
    for entity in entities {
      let problems = entity.problems + entity.problemsOfMaking + (asSQL ? entity.problemsOfComputing : [])
      guard problems.isEmpty else { throw DAOError.invalidDescription(entity: entity.name, problems: problems) }
    }
    for entity in entities where !entity.searchableAttributes.isEmpty {
      if let other = entities.first(where: { SchemaName.same($0.table, entity.searchTable) }) {
        throw DAOError.invalidDescription(
          entity: other.name, problems: ["\(other.name) has the name of the search table of \(entity.name), \(entity.searchTable)"])
      }
    }
  }

  private var problemsOfMaking: [String] {
    var problems: [String] = []
    if case .view(nil) = source { problems.append("\(name) is a view without a definition; a new store can't be made from it") }
    let names = [table] + attributes.flatMap { [$0.column, $0.reference?.table ?? "", $0.reference?.column ?? ""] }
    problems += names.filter { $0.utf8.contains(0) }.map { "\(name) has the name '\($0)', with a NUL in it" }
    for attribute in attributes {
      if case .text(let text) = attribute.defaultValue, text.utf8.contains(0) {
        problems.append("\(name).\(attribute.name) has a default with a NUL in it")
      }
    }
    return problems
  }

  private var problemsOfComputing: [String] {
    attributes.filter(\.isGenerated).map {
      "\(name).\($0.name) is generated, by an expression that the description does not have; a new store can't be made from it"
    }
  }
}
