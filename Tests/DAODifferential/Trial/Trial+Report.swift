import DAOKit

extension Trial {
  /// What to read when the stores differ.
  package func report() -> String {
    guard let stores = try? Stores(world) else { return "The stores do not take the same rows: \(world)" }
    let (answers, entity) = (answers(stores), stores.catalog.entities[table])
    let target = EntityTarget(entity, scope: scope)
    let relationships = stores.catalog.entities.flatMap { entity in
      entity.relationships.map { "\(entity.name).\($0.name): \($0.kind) \($0.target?.name ?? "")" }
    }
    let rows = zip(stores.catalog.entities, world.rows).flatMap { entity, rows in
      rows.map { row in "  \(entity.name): " + zip(entity.attributes, row).map { "\($0.name): \($1)" }.joined(separator: ", ") }
    }
    let strays = world.strays.map { "  \(stores.catalog.entities[$0.table].name)\($0.key).\($0.attribute): \($0.value)" }
    return """
      The stores differ over \(entity.name), asked to \(question.text)
      schema:
        \(stores.statements.joined(separator: "\n  "))
        \(relationships.joined(separator: "\n  "))
      rows:
      \(rows.joined(separator: "\n"))
      written by others:
      \(strays.isEmpty ? "  nothing" : strays.joined(separator: "\n"))
      criteria: \((try? criteria.json(of: entity)) ?? "has no JSON form")
      in Swift: \(criteria.filter.node)
      scope: \(scope.isAlwaysTrue ? "none" : "\(scope.node)")
      SQL: \((try? SearchCriteria<DynamicEntity>(criteria).sql(in: target)).flatMap { $0 }.map { "\($0.text) \($0.bindings)" } ?? "none")
      evaluator: \(answers.evaluator)
      SQLite: \(answers.sqlite)
      """
  }
}

extension Question {
  fileprivate var text: String {
    guard case .update(let changes) = self else { return "\(self)" }
    return "update " + changes.map { "\($0.target.projectedName) = \($0.value)" }.joined(separator: ", ")
  }
}
