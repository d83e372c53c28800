import DAOCriteria

// Names that were exchanged: `a` was `b`, and `b` was `a`. A store that has both fits, before and after, and nothing in it shows on which
// side it is.
extension Migration {
  /// Asks about tables and columns whose names were exchanged, where no hint decides.
  package func questions(about entities: [EntityDescription]) -> [DAOError.MigrationProblem] {
    let entities = entities.filter { !$0.isReadOnly }
    let tables = entities.map { entity in
      (entity.table, has { if case .create(entity.name) = $0 { true } else { false } } ? [] : entity.renamedFrom)
    }
    let ofTables = Self.exchanged(tables).compactMap { names -> DAOError.MigrationProblem? in
      guard let first = entities.first(where: { $0.table == names.first }) else { return nil }
      return question("tables", names, entity: first.name, element: "", answer: ".create(\"\(first.name)\")")
    }
    return ofTables
      + entities.flatMap { entity in
        Self.exchanged(formerColumns(of: entity)).map { names in
          question(
            "columns", names, entity: entity.name, element: names.joined(separator: ", "),
            answer: ".keep(\"\(entity.name)\", \"\(names.first ?? "")\")")
        }
      }
  }

  /// The names that an entity's columns had before, as far as no hint says that they had not.
  private func formerColumns(of entity: EntityDescription) -> [(name: String, before: [String])] {
    let kept = hints.compactMap { if case .keep(entity.name, let column) = $0.kind { column } else { nil } }
    func isKept(_ column: String) -> Bool { kept.contains { SchemaName.same($0, column) } }
    return entity.attributes.map { attribute in
      let isNew = has { if case .add(entity.name, attribute.name) = $0 { true } else { false } }
      return (attribute.column, isNew || isKept(attribute.column) ? [] : attribute.renamedFrom.filter { !isKept($0) })
    }
  }

  private func question(_ kind: String, _ names: [String], entity: String, element: String, answer: String) -> DAOError.MigrationProblem {
    DAOError.MigrationProblem(
      entity: entity, element: element,
      message:
        "the \(kind) \(names.joined(separator: " and ")) were named as each other before, and no store shows whether it is from before or "
        + "after that",
      hints: [
        "\(answer), where all stores have them under these names already",
        "\(answer) and steps: [.before(version, \"…\") { store in … }], which exchanges them in older stores",
      ])
  }

  /// The names that went round, where all of them are there.
  package static func exchanged(_ names: [(name: String, before: [String])]) -> [[String]] {
    var found: [[String]] = []
    for (start, before) in names where !before.isEmpty && !found.joined().contains(start) {
      var round: [String] = []
      var ahead = [start]
      while let next = ahead.popLast() {
        for former in names.filter({ $0.name == next }).flatMap(\.before) {
          guard let other = names.first(where: { SchemaName.same($0.name, former) })?.name, other != next, !round.contains(other) else {
            continue
          }
          round.append(other)
          ahead.append(other)
        }
      }
      if round.contains(start) { found.append(round) }
    }
    return found
  }
}
