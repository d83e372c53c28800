extension Criteria {
  /// Checks that the criteria fit an entity and the use of its rows: names, types, the position of aggregates, depth, and every value.
  ///
  /// Every store makes this check before it reads or changes a row, so that all of them refuse the same criteria. An SQL store that has a
  /// statement for a query of the same form checks its values alone, as the rest is known to fit.
  ///
  /// ```swift
  /// try criteria.check(.count, in: EntityTarget(Zone.entityDescription))
  /// ```
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` for an entity that contradicts itself,
  ///   ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  /// - Parameter limits: the limits of the engine that is to run it.
  public func check(_ use: Criteria.Use, in target: EntityTarget, within limits: Criteria.StatementLimits = .sqlite) throws {
    _ = try checked(use, in: target, within: limits)
  }

  /// The criteria with its names resolved.
  /// - Throws: what ``check(_:in:within:)`` throws.
  package func checked(_ use: Criteria.Use, in target: EntityTarget, within limits: Criteria.StatementLimits) throws -> CheckedCriteria {
    try target.entity.checkDescription()
    var checker = CriteriaChecker(self, in: target, within: limits)
    let checked = checker.checked(use)
    guard checker.problems.isEmpty else { throw DAOError.invalidCriteria(entity: target.entity.name, problems: checker.problems) }
    return checked
  }
}

extension EntityTarget {
  /// The scope with its names resolved, as the condition of a query without any other; for an upsert its rule is checked too.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  package func checked(_ rule: UpsertRule? = nil, within limits: Criteria.StatementLimits) throws -> CheckedCriteria {
    try entity.checkDescription()
    var checker = CriteriaChecker(Criteria(), in: self, within: limits)
    let checked = checker.checked(.entities)
    if let rule { checker.check(rule) }
    guard checker.problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: checker.problems) }
    return checked
  }
}

extension CriteriaChecker {
  /// Checks that the rule names attributes, and changes no key.
  fileprivate mutating func check(_ rule: UpsertRule) {
    if rule.target?.isEmpty == true { report("", "an upsert needs attributes as its target") }
    for name in (rule.target ?? []) + (rule.updating ?? []) where entity[name] == nil {
      report(DAOError.CriteriaProblem(unknownAttribute: name, of: entity))
    }
    for name in rule.updating ?? [] where entity.key.attributes.contains(name) {
      report(name, "is part of the key, which an upsert can't change")
    }
    if let version = entity.versionAttribute?.name {
      if rule.updating?.contains(version) == true { report(version, "is the version, which each change raises by itself") }
      if rule.target?.contains(version) == true { report(version, "is the version, by which no row is met") }
    }
    // A row that is to be written has a value of its own, which need not be the one that the store computes.
    for name in Set((rule.target ?? []) + (rule.updating ?? [])).sorted() where entity[name]?.isGenerated == true {
      report(name, Attribute.generatedProblem)
    }
  }
}

extension EntityDescription {
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` where the description contradicts itself.
  fileprivate func checkDescription() throws {
    let problems = problems
    guard problems.isEmpty else { throw DAOError.invalidDescription(entity: name, problems: problems) }
  }
}
