import Foundation

extension UnitOfWork {
  /// Adds a copy of an entity to the unit: a new row with the same values and another key.
  ///
  /// ```swift
  /// var copy = try work.clone(project)
  /// let whole = try work.clone(project, with: \.jobs)      // with copies of its jobs
  /// ```
  ///
  /// The copy shares the rows of to-one relationships. Of a to-many relationship that is named, the rows are copied too, each of which
  /// leads to the copy; where pairs are between, the pairs are, and the rows are shared. All of it is one step that can be undone. Unique
  /// values are copied like others: change them before the commit, which refuses them.
  ///
  /// A generated key and a UUID are made anew. Any other key is yours to choose: change the entity, and insert it. With its key, an entity
  /// of another unit or store is inserted as it is; and to edit a row in this unit, find it here by its key.
  /// - Throws: ``DAOError/misuse(_:use:)`` where a key can't be made, or for a to-one relationship;
  ///   ``DAOError/invalidCriteria(entity:problems:)`` for a path of several relationships.
  @discardableResult
  public func clone<E: Entity, each Related: RelationshipField>(
    _ entity: E, with relationships: repeat KeyPath<E.Fields, each Related>
  ) throws -> E {
    var names: [String] = []
    for path in repeat each relationships { names.append(E.Fields(path: .root)[keyPath: path].path.description) }
    return try copy(of: entity, with: names)
  }

  /// Adds a copy of an entity, with copies of the rows of the relationships of these names: `clone(project, with: "jobs")`.
  @_disfavoredOverload @discardableResult
  public func clone<E: Entity>(_ entity: E, with relationships: String...) throws -> E { try copy(of: entity, with: relationships) }

  private func copy<E: Entity>(of entity: E, with relationships: [String]) throws -> E {
    let description = (entity as? DynamicEntity)?.entity ?? E.entityDescription
    let known = relationships.map { ($0, description.relationship($0)) }
    let unknown = known.filter { $0.1 == nil }.map { DAOError.CriteriaProblem(unknownAttribute: $0.0, of: description) }
    if !unknown.isEmpty { throw DAOError.invalidCriteria(entity: description.name, problems: unknown) }
    let original = description.scalars(of: try description.storedValues(of: entity))
    return try group {
      let copy = try insert(original, of: description)
      for case (_, let relationship?) in known { try copyRows(of: relationship, from: original, to: copy, of: description) }
      let isCopy = Criteria.Condition.all(description.key.attributes.map { Self.equal($0, copy[$0] ?? .null) })
      var criteria = Criteria()
      criteria.filter = isCopy
      guard let found = try store.find(E.self, in: EntityTarget(description), criteria).first else {
        throw DAOError.notFound(
          entity: description.name, key: description.key.attributes.map { "\(copy[$0] ?? .null)" }.joined(separator: ", "))
      }
      return found
    }
  }

  /// Copies the rows that a relationship leads to, or the pairs between.
  private func copyRows(
    of relationship: Relationship, from original: [String: Scalar], to copy: DynamicEntity, of description: EntityDescription
  ) throws {
    let (other, names): (EntityDescription?, [String])
    switch relationship.kind {
    case .toOne:
      throw DAOError.misuse(
        "\(description.name).\(relationship.name) leads to one row, which a copy shares", use: "clone of that row, and set it")
    case .toMany(let by): (other, names) = (relationship.target, by)
    case .manyToMany(let by, _): (other, names) = (relationship.join, by)
    }
    guard let other else { throw DAOError.misuse("\(description.name).\(relationship.name) leads nowhere", use: "its entity") }
    let held = relationship.referenced ?? description.key.attributes
    var criteria = Criteria()
    criteria.filter = .all(zip(names, held).map { Self.equal($0, original[$1] ?? .null) })
    criteria.orders = other.key.attributes.map { Criteria.Ordering(.field(FieldPath($0))) }
    for row in try store.find(DynamicEntity.self, in: EntityTarget(other), criteria) {
      var values = Dictionary(uniqueKeysWithValues: zip(other.attributes.map(\.name), row.values))
      for (name, held) in zip(names, held) { values[name] = copy[held] ?? .null }
      _ = try insert(values, of: other, changed: Set(names))
    }
  }

  /// Adds a row with another key.
  /// - Parameter changed: attributes that have other values already.
  private func insert(
    _ values: [String: Scalar], of description: EntityDescription, changed: Set<String> = []
  ) throws -> DynamicEntity {
    var values = values
    switch description.key {
    case .generated(let name): values[name] = nil
    case .assigned(let names):
      if !changed.isDisjoint(with: names) { break }
      guard let name = description.renewedKey else {
        throw DAOError.misuse(
          "a copy of \(description.name) needs another \(names.joined(separator: ", "))", use: "insert(_:) of an entity that has one")
      }
      values[name] = .uuid(UUID())
    }
    return try store.insert([DynamicEntity(description, values)], in: EntityTarget(description))[0]
  }

  private static func equal(_ name: String, _ value: Scalar) -> Criteria.Condition {
    .compare(.field(FieldPath(name)), .equal, .value(value))
  }
}
