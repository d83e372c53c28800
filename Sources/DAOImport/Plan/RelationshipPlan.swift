import DAOKit

/// How records have the rows of a relationship.
final class RelationshipPlan {
  /// How the rows are matched, by the positions of attributes.
  enum Matching {
    /// The values at `here` are those at `there` of the target.
    case toOne(here: [Int], there: [Int])
    /// Rows of the target have the values at `here` at `there`.
    case toMany(here: [Int], there: [Int])
    /// Rows of the pairs have the values at `here` at `by`, and those of the target's `there` at `to`.
    case manyToMany(Pairs, here: [Int], there: [Int])
  }

  /// The entity between two others.
  struct Pairs {
    let target: EntityTarget
    let by, to: [Int]
    /// The values of a new pair; nil for those of the two keys.
    let defaults: [StoredValue?]

    var entity: EntityDescription { target.entity }
  }

  let relationship: Relationship
  /// The paths of the value, tried in this order.
  let paths: [RecordPath]
  let mapping: RelationshipMapping
  let matching: Matching
  /// The number of the target's plan.
  let target: Int
  let hooks: RelationshipHooks?
  /// Whether the relationship may lead nowhere.
  let isOptional: Bool

  /// - Throws: ``ValueProblem`` where the relationship's entities don't fit each other.
  init(
    _ relationship: Relationship, _ mapping: RelationshipMapping, _ hooks: RelationshipHooks?, of entity: EntityDescription, target: Int
  ) throws {
    self.relationship = relationship
    var mapping = mapping
    // The rows of a view can be named, and no more.
    if relationship.target?.isReadOnly == true { mapping.targets = .link }
    self.mapping = mapping
    self.hooks = hooks
    self.target = target
    paths = mapping.paths.isEmpty ? [[relationship.name]] : mapping.paths
    let steps = try entity.steps(of: relationship)
    func positions(_ attributes: [Attribute], in entity: EntityDescription) -> [Int] {
      attributes.compactMap { entity.position(of: $0.name) }
    }
    // The attributes that hold the keys of others, of which a record would give the values.
    let holding: [Attribute] =
      switch relationship.kind {
      case .toOne: steps[0].pairs.map(\.here)
      case .toMany: steps[0].pairs.map(\.there)
      case .manyToMany: steps[0].pairs.map(\.there) + steps[1].pairs.map(\.here)
      }
    if let generated = holding.first(where: \.isGenerated) {
      throw ValueProblem("can't be imported: '\(generated.name)' \(Attribute.generatedProblem); exclude it from the mapping")
    }
    let here = positions(steps[0].pairs.map(\.here), in: entity)
    switch relationship.kind {
    case .toOne:
      matching = .toOne(here: here, there: positions(steps[0].pairs.map(\.there), in: steps[0].target))
      isOptional = steps[0].pairs.allSatisfy(\.here.isOptional)
    case .toMany:
      matching = .toMany(here: here, there: positions(steps[0].pairs.map(\.there), in: steps[0].target))
      isOptional = steps[0].pairs.allSatisfy(\.there.isOptional)
    case .manyToMany:
      let join = steps[0].target
      let (by, to) = (positions(steps[0].pairs.map(\.there), in: join), positions(steps[1].pairs.map(\.here), in: join))
      let generated = join.hasGeneratedKey ? join.key.attributes.first : nil
      let defaults = try join.attributes.enumerated().map { position, attribute -> StoredValue? in
        if by.contains(position) || to.contains(position) { return nil }
        if let value = attribute.defaultValue { return try attribute.type.stored(value) }
        if attribute.isVersion { return .integer(0) }
        guard attribute.isOptional || attribute.isGenerated || attribute.name == generated else {
          throw ValueProblem("can't be imported by itself: a pair also needs \(join.name).\(attribute.name); exclude it from the mapping")
        }
        return .null
      }
      matching = .manyToMany(
        Pairs(target: EntityTarget(join), by: by, to: to, defaults: defaults), here: here,
        there: positions(steps[1].pairs.map(\.there), in: steps[1].target))
      isOptional = true
    }
  }

  var name: String { relationship.name }

  /// The problems of the mapping, each in one sentence without a subject.
  var problems: [String] {
    var problems = paths.filter { $0.names.isEmpty || $0.names.contains("") }.map {
      "is mapped to the path '\($0)', which has an empty name"
    }
    if case .toMany = matching, mapping.many == .replace, !isOptional {
      problems.append("can't be replaced: its rows can't be without one; delete them with .replaceDeletingOrphans")
    }
    return problems
  }
}
